import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { type TestContext, test } from 'node:test';
import { PASSWORD, startTestService } from '../../service/start.ts';
import { logIn } from '../../service/talk.ts';
import { converse } from './connection.ts';
import { linesAbout } from './log-lines.ts';
import { DEAD, digits, LOGGED, STRANGER } from './logged-requests.ts';
import { exchange, WRONG } from './scenario.ts';

const INFO = 30;

/** A service with the user Mia, and a ticket of hers beside one of somebody else. */
async function withTickets(t: TestContext) {
  const { url, lines, addUser } = await startTestService(t);
  await addUser('Mia');
  return { url, lines, ticket: await logIn(url, 'mia'), other: await logIn(url) };
}

for (const [name, make] of Object.entries(LOGGED)) {
  test(`the log has one line for ${name}`, async (t) => {
    const { url, lines, ...tickets } = await withTickets(t);
    const { ask, sent, line: expected } = make(tickets);
    const told = await linesAbout(lines, await exchange(url, ask, sent));
    assert.equal(told.length, 1);
    const [line = {}] = told;
    assert.equal(line.level, INFO);
    assert.equal(typeof line.ms, 'number');
    assert.equal(line.address, '127.0.0.1');
    for (const [key, value] of Object.entries(expected)) assert.equal(line[key], value, key);
  });
}

test('the log has one line for a request that cannot be read', async (t) => {
  const { url, lines } = await startTestService(t);
  const [answer] = await converse(url, `nonsense ${DEAD}\r\n\r\n`);
  const told = await linesAbout(lines, answer ?? assert.fail('no answer'));
  assert.deepEqual(
    told.map(({ outcome, status, address, ms }) => [outcome, status, address, ms]),
    [['request_malformed', 400, '127.0.0.1', undefined]],
  );
});

test('the log has no line for a connection that its other end resets', async (t) => {
  const { url, lines } = await startTestService(t);
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  await once(socket, 'connect');
  socket.write('GET /api/server HTTP/1.1\r\n', () => socket.resetAndDestroy());
  await once(socket, 'close');
  const heard = await exchange(url, 'GET /api/server');
  const [asked] = await linesAbout(lines, heard);
  const requests = lines.map((line) => JSON.parse(line)).filter(({ msg }) => msg === 'request');
  assert.deepEqual(requests, [asked]);
});

test('the log tells the ticket that a login gave by its digest', async (t) => {
  const { url, lines } = await startTestService(t);
  const heard = await exchange(url, `GET /api/login?u=admin&pw=${PASSWORD}`);
  const [given = ''] = /TICKET_[0-9a-f]{40}/.exec(heard.text) ?? [];
  const [line] = await linesAbout(lines, heard);
  assert.equal(line?.digest, digits(given));
});

test('the log is JSON, and holds no ticket, no password and no name that is no user', async (t) => {
  const { url, lines, ...tickets } = await withTickets(t);
  for (const make of Object.values(LOGGED)) {
    const { ask, sent } = make(tickets);
    await linesAbout(lines, await exchange(url, ask, sent));
  }
  const [unread] = await converse(url, `nonsense ${DEAD}\r\n\r\n`);
  await linesAbout(lines, unread ?? assert.fail('no answer'));
  const everything = lines.join('');
  const pair = Buffer.from(`${STRANGER}:${WRONG}`).toString('base64');
  for (const secret of [...Object.values(tickets), DEAD, PASSWORD, WRONG, STRANGER, pair, 'nonsense'])
    assert.ok(!everything.includes(secret), secret);
  assert.doesNotMatch(everything, /TICKET_[0-9a-f]/);
});
