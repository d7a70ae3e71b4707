import { createHash } from 'node:crypto';
import { PASSWORD } from '../../service/start.ts';
import { basic } from '../../service/talk.ts';
import { type Sent, WRONG } from './scenario.ts';

/** A name that no user has. For the service it could be a password. */
export const STRANGER = 'hunter2-typed-into-the-name';
/** A ticket that was never given. */
export const DEAD = `TICKET_${'7'.repeat(40)}`;

/** The tickets that a request is about: one of Mia, and one of somebody else. */
export interface Tickets {
  readonly ticket: string;
  readonly other: string;
}

/** A request, and what its line in the log holds. */
export interface Logged {
  readonly ask: string;
  readonly sent?: Sent;
  readonly line: Readonly<Record<string, unknown>>;
}

const MASKED = `hu… (${STRANGER.length} characters)`;
const operation = (name: string) => ({ operation: `org/service/repository/${name}` });

/** What the log shows of a ticket. */
export const digits = (ticket: string) => createHash('sha256').update(ticket).digest('hex').slice(0, 8);

/** The requests whose lines are tested. */
export const LOGGED: Readonly<Record<string, (tickets: Tickets) => Logged>> = {
  'a login': () => ({
    ask: `GET /api/login?u=mia&pw=${PASSWORD}`,
    line: { ...operation('login.get'), outcome: 'ok', status: 200, user: 'Mia' },
  }),
  'a validation': ({ ticket }) => ({
    ask: `GET /api/login/ticket/${ticket}?alf_ticket=${ticket}`,
    line: { ...operation('loginticket.get'), outcome: 'ok', user: 'Mia', digest: digits(ticket) },
  }),
  'a validation with a password': ({ ticket }) => ({
    ask: `GET /api/login/ticket/${ticket}`,
    sent: { headers: basic(`MIA:${PASSWORD}`) },
    line: { ...operation('loginticket.get'), outcome: 'ok', user: 'Mia' },
  }),
  'a refused validation': ({ ticket, other }) => ({
    ask: `GET /api/login/ticket/${other}?alf_ticket=${ticket}`,
    line: {
      ...operation('loginticket.get'),
      outcome: 'ticket_not_found',
      status: 404,
      user: 'Mia',
      digest: digits(ticket),
      reason: 'foreign',
    },
  }),
  'a node that is not there, asked for by a ticket': ({ ticket }) => ({
    ask: `GET /api/node/workspace/SpacesStore/${STRANGER}/actiondefs?alf_ticket=${ticket}`,
    line: { outcome: 'node_not_found', status: 404, user: 'Mia', digest: digits(ticket) },
  }),
  'a wrong password': () => ({
    ask: `GET /api/login?u=mia&pw=${WRONG}`,
    line: {
      ...operation('login.get'),
      outcome: 'login_failed',
      status: 403,
      user: 'Mia',
      reason: 'wrong-password',
    },
  }),
  'an unknown name, masked': () => ({
    ask: 'POST /api/login',
    sent: { body: JSON.stringify({ username: STRANGER, password: WRONG }) },
    line: { ...operation('login.post'), outcome: 'login_failed', user: MASKED, reason: 'unknown-name' },
  }),
  'an unknown name in Basic, masked': ({ ticket }) => ({
    ask: `GET /api/login/ticket/${ticket}`,
    sent: { headers: basic(`${STRANGER}:${WRONG}`) },
    line: { outcome: 'authentication_needed', status: 401, user: MASKED },
  }),
  'a challenge': ({ ticket }) => ({
    ask: `GET /api/login/ticket/${ticket}?alf_ticket=${DEAD}`,
    line: { ...operation('loginticket.get'), outcome: 'authentication_needed', user: undefined },
  }),
  'a login without a password': () => ({
    ask: 'GET /api/login?u=mia',
    line: { outcome: 'password_missing', status: 400 },
  }),
  'a body that is no JSON': () => ({
    ask: 'POST /api/login',
    sent: { body: `<login>${STRANGER} ${WRONG}</login>` },
    line: { outcome: 'body_unreadable', status: 400, reason: 'it is not JSON (at character 0)' },
  }),
  'a body whose password is no text': () => ({
    ask: 'POST /api/login',
    sent: { body: JSON.stringify({ username: STRANGER, password: [WRONG] }) },
    line: { outcome: 'body_unreadable', reason: '"password" is no string' },
  }),
  'a body that is too large': () => ({
    ask: 'POST /api/login',
    sent: { body: `{"password":"${WRONG}"`.padEnd(70_000) },
    line: { outcome: 'body_too_large', status: 413 },
  }),
  'a page that is not there': () => ({
    ask: `GET /${STRANGER}/${DEAD}?pw=${WRONG}`,
    line: { operation: undefined, outcome: 'path_unknown', status: 404 },
  }),
  'a wrong method': ({ ticket }) => ({
    ask: `PUT /api/login?alf_ticket=${ticket}`,
    line: { outcome: 'method_wrong', status: 405 },
  }),
  'a broken escape': () => ({
    ask: `GET /api/login?u=${STRANGER}&pw=${WRONG}%`,
    line: { ...operation('login.get'), outcome: 'escape_broken', status: 400 },
  }),
  'more header fields than are read': () => ({
    ask: 'GET /api/server',
    sent: { headers: { a: Array(1_100).fill('b') } },
    line: { outcome: 'headers_too_large', status: 431 },
  }),
  'a format that is not offered': () => ({
    ask: `GET /api/login.toml?u=mia&pw=${WRONG}`,
    line: { ...operation('login.get'), outcome: 'format_unknown', status: 406 },
  }),
  'a login from another site': () => ({
    ask: `GET /api/login?u=${STRANGER}&pw=${WRONG}`,
    sent: { headers: { 'sec-fetch-site': 'cross-site', origin: 'https://portal.example.org' } },
    line: {
      outcome: 'cross_site_login',
      reason: 'Sec-Fetch-Site: cross-site, origin portal.example.org',
      user: undefined,
    },
  }),
  'a login whose host no proxy passed on': () => ({
    ask: `GET /api/login?u=mia&pw=${PASSWORD}`,
    sent: { headers: { origin: 'https://portal.example.org', host: '10.0.0.7:8080' } },
    line: {
      outcome: 'cross_site_login',
      reason: 'origin portal.example.org, asked host 10.0.0.7',
      user: undefined,
    },
  }),
  'a login from an origin that is none': () => ({
    ask: `GET /api/login?u=mia&pw=${PASSWORD}`,
    sent: { headers: { origin: 'null', host: '10.0.0.7' } },
    line: { outcome: 'cross_site_login', reason: 'origin none, asked host 10.0.0.7' },
  }),
  'a request whose host holds more than a host': () => ({
    ask: 'GET /api/server',
    sent: { headers: { host: `10.0.0.7/${STRANGER}?pw=${WRONG}` } },
    line: { outcome: 'request_malformed', user: undefined },
  }),
  'a login from an origin that is more than a host, and a long one': () => ({
    ask: `GET /api/login?u=mia&pw=${PASSWORD}`,
    sent: { headers: { origin: `https://${STRANGER}:${WRONG}@${'a'.repeat(9_000)}/${WRONG}`, host: 'b' } },
    line: { outcome: 'cross_site_login', reason: `origin ${'a'.repeat(255)}, asked host b` },
  }),
  'a logout': ({ ticket }) => ({
    ask: `DELETE /api/login/ticket/${ticket}?alf_ticket=${ticket}`,
    line: { ...operation('loginticket.delete'), outcome: 'ok', user: 'Mia', digest: digits(ticket) },
  }),
};
