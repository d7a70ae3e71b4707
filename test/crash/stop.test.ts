import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { makeTicket } from '../../src/core/domain/ticket.ts';
import { newUser } from '../../src/core/domain/user.ts';
import { digestOf } from '../../src/core/gate/tickets.ts';
import { Connection } from '../core/http/connection.ts';
import { PASSWORD, temporaryFolder } from '../service/start.ts';
import { openSqlite } from '../service/stores.ts';
import { ask, logIn } from '../service/talk.ts';
import { until } from '../service/until.ts';
import { serve } from './serve.ts';

const MINUTE = 60_000;
const BODY = JSON.stringify({ username: 'admin', password: PASSWORD });

/** Whether somebody takes connections there. */
function listens(url: URL): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(Number(url.port), url.hostname);
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
    socket.once('connect', () => socket.destroy());
  });
}

/** Waits until no new connection is taken: the signal has arrived. */
const untilClosed = (url: URL) => until('no new connection is taken', async () => !(await listens(url)));

/** Sends the beginning of a login, with the rest of its body still to come. */
async function beginLogin(url: URL): Promise<Socket> {
  const socket = connect(Number(url.port), url.hostname);
  await once(socket, 'connect');
  const head = `POST /api/login HTTP/1.1\r\nHost: ${url.host}\r\nContent-Length: ${BODY.length}\r\n\r\n`;
  socket.write(head + BODY.slice(0, 10));
  return socket;
}

/** Waits until what was sent so far is read: connections are taken in turn, so an answer on a new one tells. */
async function untilRead(url: URL): Promise<void> {
  const connection = await Connection.open(url.origin);
  connection.say('GET /api/server HTTP/1.1\r\nHost: localhost\r\n\r\n');
  await connection.until(/\}\}$/);
  connection.close();
}

async function heard(socket: Socket): Promise<string> {
  let text = '';
  for await (const chunk of socket) text += chunk;
  return text;
}

test('a SIGTERM takes no new connections, answers the requests in flight, and exits with 0', async (t) => {
  const data = await temporaryFolder(t);
  const service = serve(t, data);
  const url = new URL(await service.url);
  await logIn(url.origin);
  const sockets = await Promise.all([beginLogin(url), beginLogin(url), beginLogin(url)]);
  await untilRead(url);
  service.kill('SIGTERM');
  await untilClosed(url);
  for (const socket of sockets) socket.write(BODY.slice(10));
  const answers = await Promise.all(sockets.map(heard));
  const { code, signal, said } = await service.ended;
  assert.deepEqual({ code, signal }, { code: 0, signal: null }, said);
  const next = serve(t, data);
  for (const answer of answers) {
    assert.match(answer, /^HTTP\/1\.1 200 /);
    const ticket = /TICKET_[0-9a-f]{40}/.exec(answer)?.[0];
    const there = `${await next.url}/api/login/ticket/${ticket}?alf_ticket=${ticket}`;
    assert.equal((await ask(there)).status, 200);
  }
});

test('a request that does not end is cut off at the deadline of the stop, and the exit code is 0', async (t) => {
  const service = serve(t, await temporaryFolder(t), { TESSERA_STOP_DEADLINE: 'PT0.5S' });
  const url = new URL(await service.url);
  const socket = await beginLogin(url);
  await untilRead(url);
  service.kill('SIGTERM');
  const cut = heard(socket).catch(() => '');
  const { code, signal, said } = await service.ended;
  assert.deepEqual({ code, signal }, { code: 0, signal: null }, said);
  assert.doesNotMatch(await cut, / 200 /);
});

test('a SIGINT that comes twice, as under npm, is one: the requests in flight are answered', async (t) => {
  const service = serve(t, await temporaryFolder(t));
  const url = new URL(await service.url);
  const socket = await beginLogin(url);
  await untilRead(url);
  service.kill('SIGINT');
  await pause(20);
  service.kill('SIGINT');
  await untilClosed(url);
  socket.write(BODY.slice(10));
  assert.match(await heard(socket), /^HTTP\/1\.1 200 /);
  const { code, signal, said } = await service.ended;
  assert.deepEqual({ code, signal }, { code: 0, signal: null }, said);
});

test('the same signal again, later, ends it at once, whatever is in flight', async (t) => {
  const service = serve(t, await temporaryFolder(t), { TESSERA_STOP_DEADLINE: 'PT20S' });
  const url = new URL(await service.url);
  const socket = await beginLogin(url);
  await untilRead(url);
  const cut = heard(socket).catch(() => '');
  const again = setInterval(() => service.kill('SIGTERM'), 100);
  const { code, signal } = await service.ended;
  clearInterval(again);
  assert.deepEqual({ code, signal }, { code: null, signal: 'SIGTERM' });
  assert.equal(await cut, '');
});

test('a SIGINT stops the service like a SIGTERM, idle connections notwithstanding', async (t) => {
  const service = serve(t, await temporaryFolder(t));
  const url = new URL(await service.url);
  const idle = connect(Number(url.port), url.hostname);
  await once(idle, 'connect');
  await logIn(url.origin);
  service.kill('SIGINT');
  const { code, signal, said } = await service.ended;
  idle.destroy();
  assert.deepEqual({ code, signal }, { code: 0, signal: null }, said);
});

test('the uses that are gathered when a SIGTERM comes are written', async (t) => {
  const data = await temporaryFolder(t);
  const ticket = makeTicket(randomBytes(20));
  const digest = digestOf(ticket);
  const longAgo = Date.now() - 30 * MINUTE;
  const before = openSqlite(data);
  await before.write(async ({ users, tickets }) => {
    const guest = await users.add(newUser('guest', { namesCaseSensitive: false, passwordHash: undefined }));
    const generations = { userGeneration: 0, serverGeneration: 0 };
    await tickets.issue({
      digest,
      userId: guest?.id ?? 0,
      ...generations,
      issuedAt: longAgo,
      usedAt: longAgo,
    });
  });
  await before.close();
  const service = serve(t, data);
  const used = Date.now();
  const there = `${await service.url}/api/login/ticket/${ticket}?alf_ticket=${ticket}`;
  assert.equal((await ask(there)).status, 200);
  service.kill('SIGTERM');
  assert.equal((await service.ended).code, 0);
  const after = openSqlite(data);
  const held = await after.read((unit) => unit.tickets.find(digest));
  await after.close();
  assert.ok((held?.ticket.usedAt ?? 0) >= used, 'the use was lost');
});
