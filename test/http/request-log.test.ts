import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import { PASSWORD, startTestService } from '../service/start.ts';
import { basic, logIn } from '../service/talk.ts';
import { converse } from './connection.ts';
import { linesAbout } from './log-lines.ts';
import { exchange, type Sent, WRONG } from './scenario.ts';

const INFO = 30;
const STRANGER = 'hunter2-typed-into-the-name';
const MASKED = `hu… (${STRANGER.length} characters)`;
const digits = (ticket: string) => createHash('sha256').update(ticket).digest('hex').slice(0, 8);

test('the log', async (t) => {
  const { url, lines, addUser } = await startTestService(t);
  await addUser('Mia');
  const ticket = await logIn(url, 'mia');
  const other = await logIn(url);
  const dead = `TICKET_${'7'.repeat(40)}`;

  const cases: [name: string, ask: string, sent: Sent, expected: Record<string, unknown>][] = [
    [
      'a login',
      `GET /api/login?u=mia&pw=${PASSWORD}`,
      {},
      { operation: 'login.get', outcome: 'ok', status: 200, user: 'Mia' },
    ],
    [
      'a validation',
      `GET /api/login/ticket/${ticket}?alf_ticket=${ticket}`,
      {},
      { operation: 'loginticket.get', outcome: 'ok', user: 'Mia', digest: digits(ticket) },
    ],
    [
      'a validation with a password',
      `GET /api/login/ticket/${ticket}`,
      { headers: basic(`MIA:${PASSWORD}`) },
      { operation: 'loginticket.get', outcome: 'ok', user: 'Mia' },
    ],
    [
      'a refused validation',
      `GET /api/login/ticket/${other}?alf_ticket=${ticket}`,
      {},
      {
        operation: 'loginticket.get',
        outcome: 'ticket_not_found',
        status: 404,
        user: 'Mia',
        reason: 'foreign',
      },
    ],
    [
      'a wrong password',
      `GET /api/login?u=mia&pw=${WRONG}`,
      {},
      { operation: 'login.get', outcome: 'login_failed', status: 403, user: 'Mia', reason: 'wrong-password' },
    ],
    [
      'an unknown name, masked',
      'POST /api/login',
      { body: JSON.stringify({ username: STRANGER, password: WRONG }) },
      { operation: 'login.post', outcome: 'login_failed', user: MASKED, reason: 'unknown-name' },
    ],
    [
      'an unknown name in Basic, masked',
      `GET /api/login/ticket/${ticket}`,
      { headers: basic(`${STRANGER}:${WRONG}`) },
      { outcome: 'authentication_needed', status: 401, user: MASKED },
    ],
    [
      'a challenge',
      `GET /api/login/ticket/${ticket}?alf_ticket=${dead}`,
      {},
      { operation: 'loginticket.get', outcome: 'authentication_needed', user: undefined },
    ],
    ['a login without a password', 'GET /api/login?u=mia', {}, { outcome: 'password_missing', status: 400 }],
    [
      'a body that is no JSON',
      'POST /api/login',
      { body: `username=${STRANGER}&password=${WRONG}` },
      { outcome: 'body_unreadable', status: 400 },
    ],
    [
      'a body that is too large',
      'POST /api/login',
      { body: `{"password":"${WRONG}"`.padEnd(70_000) },
      { outcome: 'body_too_large', status: 413 },
    ],
    [
      'a page that is not there',
      `GET /${STRANGER}/${dead}?pw=${WRONG}`,
      {},
      { operation: undefined, outcome: 'path_unknown', status: 404 },
    ],
    ['a wrong method', `PUT /api/login?alf_ticket=${ticket}`, {}, { outcome: 'method_wrong', status: 405 }],
    [
      'a format that is not offered',
      `GET /api/login.toml?u=mia&pw=${WRONG}`,
      {},
      { operation: 'login.get', outcome: 'format_unknown', status: 406 },
    ],
    [
      'a login from another site',
      `GET /api/login?u=${STRANGER}&pw=${WRONG}`,
      { headers: { 'sec-fetch-site': 'cross-site' } },
      { outcome: 'cross_site_login', user: undefined },
    ],
    [
      'a logout',
      `DELETE /api/login/ticket/${ticket}?alf_ticket=${ticket}`,
      {},
      { operation: 'loginticket.delete', outcome: 'ok', user: 'Mia', digest: digits(ticket) },
    ],
  ];
  for (const [name, ask, sent, { operation, ...expected }] of cases) {
    await t.test(`has one line for ${name}`, async () => {
      const told = await linesAbout(lines, await exchange(url, ask, sent));
      assert.equal(told.length, 1);
      const [line = {}] = told;
      assert.equal(line.level, INFO);
      assert.equal(typeof line.ms, 'number');
      if (operation !== undefined) assert.equal(line.operation, `org/service/repository/${operation}`);
      for (const [key, value] of Object.entries(expected)) assert.equal(line[key], value, key);
    });
  }

  await t.test('has one line for a request that cannot be read', async () => {
    const [answer] = await converse(url, `nonsense ${dead}\r\n\r\n`);
    const told = await linesAbout(lines, answer ?? assert.fail('no answer'));
    assert.deepEqual(
      told.map(({ outcome, status }) => [outcome, status]),
      [['request_malformed', 400]],
    );
  });

  await t.test('tells the ticket that a login gave by its digest', async () => {
    const heard = await exchange(url, `GET /api/login?u=mia&pw=${PASSWORD}`);
    const [given = ''] = /TICKET_[0-9a-f]{40}/.exec(heard.text) ?? [];
    const [line] = await linesAbout(lines, heard);
    assert.equal(line?.digest, digits(given));
  });

  await t.test('is JSON, and holds no ticket, no password and no name that is no user', () => {
    const everything = lines.join('');
    const pair = Buffer.from(`${STRANGER}:${WRONG}`).toString('base64');
    for (const secret of [ticket, other, dead, PASSWORD, WRONG, STRANGER, pair, 'nonsense'])
      assert.ok(!everything.includes(secret), secret);
    assert.doesNotMatch(everything, /TICKET_[0-9a-f]/);
  });
});
