import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { PATIENCE } from '../../service/patience.ts';
import { PASSWORD, startTestService, type TestService } from '../../service/start.ts';
import { logIn } from '../../service/talk.ts';
import { eventually, until } from '../../service/until.ts';
import { answersIn, Connection } from './connection.ts';
import { exchange } from './scenario.ts';
import { UnrulyStore } from './unruly-store.ts';

/** Resolves once no server listens at `url` any more. */
const untilRefused = (url: string) =>
  eventually(async () => {
    const taken = Connection.open(url).then((connection) => connection.close());
    await assert.rejects(taken, { code: 'ECONNREFUSED' }, 'connections are still taken');
  });

test('during a stop requests in flight finish, and no new connections are taken', {
  timeout: PATIENCE,
}, async (t) => {
  const unruly = new UnrulyStore();
  const service = await startTestService(t, { TESSERA_STOP_DEADLINE: 'PT1M' }, unruly.open);
  const { url } = service;
  const ticket = await logIn(url);
  const idle = await Connection.open(url);
  idle.say('GET /api/server HTTP/1.1\r\nHost: x\r\n\r\n');
  await idle.until(/\}\}$/);
  const silent = await Connection.open(url);

  const release = unruly.hold();
  const validating = await Connection.open(url);
  validating.say(`GET /api/login/ticket/${ticket}?alf_ticket=${ticket} HTTP/1.1\r\nHost: x\r\n\r\n`);
  const loggingIn = exchange(url, `GET /api/login?u=admin&pw=${PASSWORD}`);
  await unruly.untilWaiting(2);
  let stopped = false;
  const stopping = service.stop().then(() => {
    stopped = true;
  });
  await untilRefused(url);
  await idle.untilClosed();
  await silent.untilClosed();
  assert.equal(stopped, false);

  release();
  const [validated] = answersIn(await validating.untilClosed());
  assert.equal(validated?.status, 200);
  assert.ok(validated.text.includes(ticket));
  assert.equal((await loggingIn).status, 200);
  const late = pause(30_000, undefined, { ref: false }).then(() =>
    assert.fail('the stop waited for its deadline'),
  );
  await Promise.race([stopping, late]);
  await service.stop();
});

test('a request that arrives as a stop begins is answered, with word that its connection is closed', async (t) => {
  const service = await startTestService(t);
  const idle = await Connection.open(service.url);
  idle.say('GET /api/server HTTP/1.1\r\nHost: x\r\n\r\n');
  await idle.until(/\}\}$/);
  const stopping = service.stop();
  idle.say('GET /api/server HTTP/1.1\r\nHost: x\r\n\r\n');
  const [first, second] = answersIn(await idle.untilClosed());
  assert.equal(first?.headers.connection, 'keep-alive');
  assert.equal(second?.status, 200);
  assert.equal(second.headers.connection, 'close');
  await stopping;
});

test('a stop waits for requests in flight until its deadline at most', async (t) => {
  const unruly = new UnrulyStore();
  const service = await startTestService(t, { TESSERA_STOP_DEADLINE: 'PT0.2S' }, unruly.open);
  const ticket = await logIn(service.url);
  const release = unruly.hold();
  const stuck = exchange(service.url, `GET /api/login/ticket/${ticket}?alf_ticket=${ticket}`);
  const cut = assert.rejects(stuck, { code: 'ECONNRESET' });
  await unruly.untilWaiting(1);
  const stopping = service.stop();
  await cut;
  // The sweeper may wait for the store, too, and a stop waits for it.
  release();
  await stopping;
});

/** Requests whose answers are more than the buffers of a connection hold. */
const TIMES = 20;

/** A client that has not read its long answers yet, which are all written, and what it has to read. */
async function slowReader({ url, lines }: TestService) {
  const { length } = await (await fetch(`${url}/reference/script`)).text();
  const { port, hostname } = new URL(url);
  const slow = connect(Number(port), hostname).pause();
  slow.write('GET /reference/script HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(TIMES));
  const given = () => lines.filter((line) => line.includes('reference')).length;
  await until('all answers are given', () => given() > TIMES);
  return { slow, least: TIMES * length };
}

test('a stop waits until a slow reader has its answers', { timeout: PATIENCE }, async (t) => {
  const service = await startTestService(t, { TESSERA_INDEX: 'public' });
  const { slow, least } = await slowReader(service);
  const stopping = service.stop();
  await untilRefused(service.url);
  let bytes = 0;
  slow.on('data', (chunk) => {
    bytes += chunk.length;
  });
  slow.resume();
  await once(slow, 'close');
  assert.ok(bytes > least, `${bytes} of more than ${least} bytes`);
  await stopping;
});

test('a stop waits for a stalled reader until its deadline at most', {
  timeout: PATIENCE,
}, async (t) => {
  const service = await startTestService(t, {
    TESSERA_STOP_DEADLINE: 'PT0.2S',
    TESSERA_REQUEST_DEADLINE: 'PT1H',
    TESSERA_INDEX: 'public',
  });
  const { slow } = await slowReader(service);
  t.after(() => slow.destroy());
  slow.on('error', () => undefined);
  await service.stop();
});
