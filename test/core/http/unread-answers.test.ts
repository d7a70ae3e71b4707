import assert from 'node:assert/strict';
import { EventEmitter, once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { type TestContext, test } from 'node:test';
import { lingerBehindLast } from '../../../src/core/http/connection-faults.ts';
import { UnreadAnswers } from '../../../src/core/http/connection-limits.ts';
import { startTestService } from '../../service/start.ts';
import { until } from '../../service/until.ts';
import { Connection } from './connection.ts';
import { assertSound, exchange } from './scenario.ts';

/** The script of the reference: it is long, and needs no credential. */
const PUBLIC = { TESSERA_INDEX: 'public' };
const LONG = 'GET /reference/script HTTP/1.1\r\nHost: x\r\n\r\n';

/** How many of the clients at this address are answered 200. Each reads only the head of its answer. */
async function answeredOf(t: TestContext, url: string, clients: number, request: string) {
  const heads: Promise<string>[] = [];
  for (let number = 0; number < clients; number += 1) {
    const client = await Connection.open(url, { isDeaf: true });
    t.after(() => client.close());
    client.say(request);
    heads.push(client.until(/^HTTP\/1\.1 \d{3}/));
  }
  return (await Promise.all(heads)).filter((head) => head.startsWith('HTTP/1.1 200')).length;
}

for (const [name, request] of [
  ['keep their connection', LONG],
  ['have it closed', LONG.replace('Host', 'Connection: close\r\nHost')],
] as const)
  test(`of 60 clients at one address that read nothing and ${name}, two get a long answer`, async (t) => {
    const { url } = await startTestService(t, PUBLIC);
    assert.equal(await answeredOf(t, url, 60, request), 2);
    const refused = await exchange(url, 'GET /reference/script');
    assert.equal(refused.status, 503);
    assert.match(refused.text, /long answers to this address/);
    assertSound(refused);
    assert.equal((await exchange(url, 'HEAD /reference/script')).status, 200);
    assert.equal((await exchange(url, 'GET /api/server')).status, 200);
    const other = await Connection.open(url, { from: '127.0.0.2' });
    other.say(LONG);
    await other.until(/^HTTP\/1\.1 200/);
    other.close();
  });

test('clients that read their answers get as many as they request', async (t) => {
  const { url } = await startTestService(t, PUBLIC);
  for (let times = 0; times < 10; times += 1)
    assert.equal((await exchange(url, 'GET /reference/script')).status, 200);
});

test('a connection that is closed behind an answer stays open until its client has read all of it', async (t) => {
  const bytes = 16_000_000;
  const server = createServer((socket) => {
    lingerBehindLast(socket);
    socket.write(Buffer.alloc(bytes));
    socket.destroySoon();
    // Another part of the server may close it, too.
    socket.destroySoon();
  }).listen(0, '127.0.0.1');
  t.after(() => server.close());
  await once(server, 'listening');
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1').pause();
  await once(server, 'connection');
  t.mock.timers.tick(60_000);
  let read = 0;
  for await (const chunk of client) read += (chunk as Buffer).length;
  assert.equal(read, bytes);
});

test('a client that closes its connection makes room for the next one', async (t) => {
  const { url } = await startTestService(t, PUBLIC);
  const clients = [
    await Connection.open(url, { isDeaf: true }),
    await Connection.open(url, { isDeaf: true }),
  ];
  for (const client of clients) {
    client.say(LONG);
    await client.until(/^HTTP\/1\.1 200/);
  }
  assert.equal((await exchange(url, 'GET /reference/script')).status, 503);
  for (const client of clients) client.close();
  await until('there is room', async () => (await exchange(url, 'GET /reference/script')).status === 200);
});

test('a trusted proxy gets as many long answers as it requests', async (t) => {
  const { url } = await startTestService(t, { ...PUBLIC, TESSERA_TRUSTED_PROXIES: '127.0.0.1' });
  assert.equal(await answeredOf(t, url, 5, LONG), 5);
});

/** A connection that has read this many bytes, and whether it was reset. */
function connection() {
  const state = { bytesRead: 100, writableLength: 0, wasReset: false };
  const socket = Object.assign(new EventEmitter(), state, {
    resetAndDestroy() {
      socket.wasReset = true;
    },
  });
  return { socket, asSocket: socket as unknown as Socket };
}

test('after ten seconds a silent client loses its connection to make room, and one that goes on does not', () => {
  let now = 0;
  const unread = new UnreadAnswers(() => now);
  const [silent, busy, next] = [connection(), connection(), connection()];
  assert.ok(unread.take('a', silent.asSocket, 2_000_000));
  assert.ok(unread.take('a', busy.asSocket, 2_000_000));
  busy.socket.bytesRead += 1;
  now = 9_000;
  assert.ok(!unread.take('a', next.asSocket, 1_000_000));
  assert.ok(!silent.socket.wasReset);
  now = 11_000;
  assert.ok(unread.take('a', next.asSocket, 1_000_000));
  assert.ok(silent.socket.wasReset);
  assert.ok(!busy.socket.wasReset);
});

test('an answer still counts when the service closes its connection first, but not when the client does', () => {
  const unread = new UnreadAnswers();
  const [first, second, next] = [connection(), connection(), connection()];
  assert.ok(unread.take('a', first.asSocket, 4_000_000));
  first.socket.emit('close', false);
  assert.ok(!unread.take('a', next.asSocket, 1_000_000));
  assert.ok(unread.take('b', second.asSocket, 4_000_000));
  second.socket.emit('end');
  second.socket.emit('close', false);
  assert.ok(unread.take('b', next.asSocket, 1_000_000));
});
