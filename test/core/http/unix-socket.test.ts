import assert from 'node:assert/strict';
import { once } from 'node:events';
import { existsSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { createServer as createHttpServer, type IncomingMessage, request } from 'node:http';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { type TestContext, test } from 'node:test';
import { Worker } from 'node:worker_threads';
import { CannotListen, listen, listenNoMore } from '../../../src/core/http/listen.ts';
import { dangersIn } from '../../../src/core/settings/dangerous-settings.ts';
import { afterwards } from '../../service/afterwards.ts';
import { PASSWORD, startTestService, temporaryFolder } from '../../service/start.ts';
import { CLIENTS_AT_PATH } from './clients-at-path.ts';
import { exchange } from './scenario.ts';

const LOGIN = `/alfresco/service/api/login?u=admin&pw=${PASSWORD}`;
const PROXIED = { 'x-forwarded-for': '203.0.113.7' };

const pathIn = async (t: TestContext) => join(await temporaryFolder(t), 'http.sock');

/** Asks by the socket at this path. */
async function ask(socketPath: string, path: string, headers: Record<string, string> = {}) {
  const sent = request({ socketPath, path, headers: { host: 'localhost', ...headers }, agent: false }).end();
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  return { status: response.statusCode, text: await text(response) };
}

/** A service on a Unix socket. */
async function startAtPath(t: TestContext, env: Record<string, string> = {}) {
  const path = await pathIn(t);
  return { path, ...(await startTestService(t, { TESSERA_HOST: `unix:${path}`, ...env })) };
}

const modeOf = (path: string) => (statSync(path).mode & 0o777).toString(8);

test('a service answers on a Unix socket, which is there from its start to its stop', async (t) => {
  const { path, url, stop, lines } = await startAtPath(t);
  assert.equal(url, `unix:${path}`);
  assert.ok(lines.some((line) => JSON.parse(line).url === url));
  assert.equal((await ask(path, '/alfresco/service/api/server')).status, 200);
  await stop();
  assert.equal(existsSync(path), false);
});

test('the owner and the group may connect, or who TESSERA_SOCKET_MODE says', async (t) => {
  assert.equal(modeOf((await startAtPath(t)).path), '660');
  assert.equal(modeOf((await startAtPath(t, { TESSERA_SOCKET_MODE: '0600' })).path), '600');
  assert.equal(modeOf((await startAtPath(t, { TESSERA_SOCKET_MODE: '666' })).path), '666');
});

/** A socket at this path on which this process listens. */
async function listenAt(t: TestContext, path: string) {
  const server = createServer().listen(path);
  await once(server, 'listening');
  afterwards(t, async () => void server.close());
  return server;
}

/** The socket of a process that ended without removing it. */
async function leaveStale(t: TestContext, path: string) {
  const server = await listenAt(t, `${path}-`);
  renameSync(`${path}-`, path);
  server.close();
  await once(server, 'close');
}

test('the socket that a dead process has left is replaced', async (t) => {
  const path = await pathIn(t);
  await leaveStale(t, path);
  await startTestService(t, { TESSERA_HOST: `unix:${path}` });
  assert.equal((await ask(path, '/alfresco/service/api/server')).status, 200);
});

/** The message with which a start on this path ends. */
async function refusalOf(t: TestContext, path: string): Promise<string> {
  const starting = startTestService(t, { TESSERA_HOST: `unix:${path}` });
  const fault = await starting.then(
    () => assert.fail('it starts'),
    (error) => error,
  );
  assert.ok(fault instanceof CannotListen, String(fault));
  return fault.message.replace(path, 'PATH');
}

test('a start leaves alone what is at its path: a socket in use, a file; and says so', async (t) => {
  const path = await pathIn(t);
  const server = await listenAt(t, path);
  assert.equal(
    await refusalOf(t, path),
    'cannot listen on PATH (TESSERA_HOST): another program, perhaps Tessera itself, listens there: stop it, or choose another path',
  );
  assert.ok(server.listening && statSync(path).isSocket());
  const file = `${path}.txt`;
  writeFileSync(file, 'mine');
  assert.equal(
    await refusalOf(t, file),
    'cannot listen on PATH (TESSERA_HOST): something that is no socket is there: remove it, or choose another path',
  );
  assert.equal(readFileSync(file, 'utf8'), 'mine');
  assert.equal(
    await refusalOf(t, `${path}.none/http.sock`),
    'cannot listen on PATH (TESSERA_HOST): there is no such folder: make it',
  );
});

/** The address that a log-in by this header is recorded with. */
async function addressOf(
  { path, store }: Awaited<ReturnType<typeof startAtPath>>,
  headers: Record<string, string>,
) {
  assert.equal((await ask(path, LOGIN, headers)).status, 200);
  const events = await store.read((unit) => unit.events.list({ user: 'admin' }));
  return events.at(-1)?.from;
}

test('whoever connects by the socket is believed only if unix: is trusted', async (t) => {
  const trusting = await startAtPath(t, { TESSERA_TRUSTED_PROXIES: 'unix:, 10.0.0.0/8' });
  assert.equal(await addressOf(trusting, PROXIED), '203.0.113.7');
  assert.equal(
    await addressOf(trusting, { 'x-forwarded-for': '198.51.100.9, 203.0.113.8, 10.1.2.3' }),
    '203.0.113.8',
  );
  for (const unnamed of [{}, { 'x-forwarded-for': 'unix:' }, { 'x-forwarded-for': '203.0.113.7, <x>' }])
    assert.equal(await addressOf(trusting, unnamed), 'unix:');
  const wary = await startAtPath(t, { TESSERA_TRUSTED_PROXIES: '0.0.0.0/0,::/0' });
  assert.equal(await addressOf(wary, PROXIED), 'unix:');
  assert.equal(wary.lines.map((line) => JSON.parse(line)).filter(({ peer }) => peer === 'unix:').length, 1);
});

test('unix: among the trusted proxies means nobody who connects by a port', async (t) => {
  const { url, store } = await startTestService(t, { TESSERA_TRUSTED_PROXIES: 'unix:' });
  await exchange(url, `GET ${LOGIN}`, { headers: PROXIED });
  const events = await store.read((unit) => unit.events.list({ user: 'admin' }));
  assert.equal(events.at(-1)?.from, '127.0.0.1');
});

test('on a Unix socket the loopback names are served, and what a trusted proxy passes on', async (t) => {
  const hosts = async (env: Record<string, string>) => {
    const { path } = await startAtPath(t, { TESSERA_HOSTS: '', ...env });
    const statusFor = async (host: string) =>
      (await ask(path, '/alfresco/service/api/server', { host })).status;
    return [await statusFor('localhost'), await statusFor('tessera.example.org')];
  };
  assert.deepEqual(await hosts({}), [200, 421]);
  assert.deepEqual(await hosts({ TESSERA_TRUSTED_PROXIES: 'unix:' }), [200, 200]);
});

test('a socket that every user reaches and whose peers are trusted is warned of', async (t) => {
  const { settings } = await startAtPath(t, {
    TESSERA_TRUSTED_PROXIES: 'unix:',
    TESSERA_SOCKET_MODE: '0666',
  });
  const found = (more: object) =>
    dangersIn({ ...settings, ...more }).filter(({ what }) => what.startsWith('TESSERA_SOCKET_MODE')).length;
  assert.equal(found({}), 1);
  assert.equal(found({ socketMode: 0o660 }), 0);
  assert.equal(found({ trustedProxies: [] }), 0);
});

test('a server on a Unix socket that takes no more connections cuts off hardly one that was made before', async (t) => {
  const path = await pathIn(t);
  const server = createHttpServer((_, response) => response.end('answer'));
  await listen(server, { path, mode: 0o600, setting: 'TESSERA_HOST' });
  const clients = new Worker(CLIENTS_AT_PATH, { eval: true, workerData: { path } });
  await once(clients, 'message');
  const told = once(clients, 'message');
  await listenNoMore(server);
  assert.equal(existsSync(path), false);
  const [cut] = await told;
  // A client may be between finding the path and its place in the queue when the path goes.
  assert.ok(cut < 2, `${cut} were cut off`);
  await clients.terminate();
});
