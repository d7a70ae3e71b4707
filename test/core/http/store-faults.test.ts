import assert from 'node:assert/strict';
import { test } from 'node:test';
import { StoreUnavailable } from '../../../src/core/storage/store.ts';
import { PASSWORD, startTestService } from '../../service/start.ts';
import { basic, logIn } from '../../service/talk.ts';
import { linesAbout } from './log-lines.ts';
import { exchange, messageIn, play, type Scenario, WRONG } from './scenario.ts';
import { UnrulyStore } from './unruly-store.ts';

const DEAD = `TICKET_${'0'.repeat(40)}`;
const right = `u=admin&pw=${PASSWORD}`;
const body = JSON.stringify({ username: 'admin', password: PASSWORD });

/** Every kind of request that needs the store. */
const requests = (ticket: string): (readonly [string, Pick<Scenario, 'ask' | 'headers' | 'body'>])[] => [
  ['a login by GET', { ask: `GET /api/login?${right}` }],
  ['a login by POST', { ask: 'POST /api/login', body }],
  ['a login with a wrong password', { ask: `GET /api/login?u=admin&pw=${WRONG}` }],
  ['a login with an unknown name', { ask: `GET /api/login?u=nobody-here&pw=${WRONG}` }],
  ['a logout', { ask: `DELETE /api/login/ticket/${ticket}?alf_ticket=${ticket}` }],
  [
    'a logout with a password',
    { ask: `DELETE /api/login/ticket/${ticket}`, headers: basic(`admin:${PASSWORD}`) },
  ],
];
const reading = (ticket: string): ReturnType<typeof requests> => [
  ['a validation', { ask: `GET /api/login/ticket/${ticket}?alf_ticket=${ticket}` }],
  ['a validation of an unknown ticket', { ask: `GET /api/login/ticket/${DEAD}?alf_ticket=${ticket}` }],
  ['a validation by a dead ticket', { ask: `GET /api/login/ticket/${ticket}?alf_ticket=${DEAD}` }],
  [
    'a validation by Bearer',
    { ask: `GET /api/login/ticket/${ticket}`, headers: { authorization: `Bearer ${ticket}` } },
  ],
  [
    'a validation with a password',
    { ask: `GET /api/login/ticket/${ticket}`, headers: basic(`admin:${PASSWORD}`) },
  ],
  [
    'a validation with a wrong password',
    { ask: `GET /api/login/ticket/${ticket}`, headers: basic(`admin:${WRONG}`) },
  ],
];

test('a store that cannot answer', async (t) => {
  const unruly = new UnrulyStore();
  const { url } = await startTestService(t, {}, unruly.open);
  const ticket = await logIn(url);
  const unavailable = (when: string, [name, sent]: ReturnType<typeof requests>[number]): Scenario => {
    const message = 'The store cannot answer now: try again shortly';
    return {
      name: `makes ${name} 503 ${when}, with Retry-After`,
      ...sent,
      status: 503,
      message,
      answers: { 'retry-after': '1' },
      lacks: ['disk', 'SELECT'],
    };
  };
  const cause = new StoreUnavailable('the disk is full: SELECT * FROM users in /var/data/tessera.db');
  const still: Scenario[] = [
    { name: 'leaves the server page as it is', ask: 'GET /api/server', status: 200 },
    { name: 'leaves a login without a name as it is', ask: 'GET /api/login', status: 400 },
    { name: 'leaves a path that is unknown as it is', ask: 'GET /api/nowhere', status: 404 },
  ];

  unruly.writeFault = cause;
  await play(
    t,
    url,
    requests(ticket).map((request) => unavailable('when it cannot write', request)),
  );
  await play(t, url, [
    {
      name: 'leaves validations as they are when it can read',
      ask: reading(ticket)[0]?.[1].ask as string,
      status: 200,
    },
    ...still,
  ]);
  unruly.readFault = cause;
  const all = [...requests(ticket), ...reading(ticket)];
  await play(
    t,
    url,
    all.map((request) => unavailable('when it cannot read either', request)),
  );
  await play(t, url, still);
  unruly.readFault = undefined;
  unruly.writeFault = undefined;
  await play(t, url, [
    {
      name: 'has ended no ticket once it answers again',
      ask: reading(ticket)[0]?.[1].ask as string,
      status: 200,
    },
    { name: 'has left no wait behind for a right password', ask: `GET /api/login?${right}`, status: 200 },
  ]);
});

test('a fault', async (t) => {
  const unruly = new UnrulyStore();
  const { url, lines } = await startTestService(t, {}, unruly.open);
  const ticket = await logIn(url);
  const secret = `TICKET_${'5'.repeat(40)}`;
  const said = `at /srv/app/secret.ts:5 {"password":"${PASSWORD}"} ?pw=${WRONG}&x=1 ${secret}`;

  for (const format of ['json', 'xml', 'html']) {
    await t.test(
      `is a bare 500 in ${format}, with a request id that is in the log beside its cause`,
      async () => {
        unruly.readFault = new Error(said);
        const ask = `DELETE /api/login/ticket/${ticket}.${format}`;
        // A logout reads in its writing unit, a password outside of it.
        const heard = await exchange(url, ask, { headers: basic(`admin:${PASSWORD}`) });
        unruly.readFault = undefined;
        const id = heard.headers['x-request-id'] as string;
        assert.equal(heard.status, 500);
        assert.equal(messageIn(heard), `Internal error, request ${id}`);
        assert.ok(heard.text.includes('Internal Error'));
        for (const leak of ['secret', 'srv', 'TICKET_', 'Error:'])
          assert.ok(!heard.text.includes(leak), leak);
        const told = await linesAbout(lines, heard);
        assert.ok(told.some(({ outcome, status }) => outcome === 'internal' && status === 500));
      },
    );
  }

  await t.test('is logged without the secrets that it speaks of', () => {
    for (const known of [secret, PASSWORD, WRONG, ticket]) assert.ok(!lines.join('').includes(known), known);
  });

  await play(t, url, [
    {
      name: 'ends no ticket',
      ask: `GET /api/login/ticket/${ticket}?alf_ticket=${ticket}`,
      status: 200,
    },
  ]);
});
