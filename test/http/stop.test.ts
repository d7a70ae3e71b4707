import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { PASSWORD, startTestService } from '../service/start.ts';
import { logIn } from '../service/talk.ts';
import { answersIn, Connection } from './connection.ts';
import { exchange } from './scenario.ts';
import { UnrulyStore } from './unruly-store.ts';

/** Resolves once nobody listens at `url` any more. */
async function untilRefused(url: string): Promise<void> {
  for (;;) {
    try {
      (await Connection.open(url)).close();
    } catch (error) {
      // A connection that was not accepted yet is reset.
      const { code } = error as NodeJS.ErrnoException;
      if (code === 'ECONNREFUSED') return;
      assert.equal(code, 'ECONNRESET');
    }
    await pause(5);
  }
}

test('a stop lets requests in flight finish, and takes no new connections meanwhile', {
  timeout: 20_000,
}, async (t) => {
  const unruly = new UnrulyStore();
  const service = await startTestService(t, { TESSERA_STOP_DEADLINE: 'PT8S' }, unruly.open);
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
  const late = pause(4_000, undefined, { ref: false }).then(() =>
    assert.fail('the stop waited for its deadline'),
  );
  await Promise.race([stopping, late]);
  await service.stop();
});

test('a stop waits for requests in flight no longer than its deadline', async (t) => {
  const unruly = new UnrulyStore();
  const service = await startTestService(t, { TESSERA_STOP_DEADLINE: 'PT0.2S' }, unruly.open);
  const ticket = await logIn(service.url);
  const release = unruly.hold();
  const stuck = exchange(service.url, `GET /api/login/ticket/${ticket}?alf_ticket=${ticket}`);
  const cut = assert.rejects(stuck, { code: 'ECONNRESET' });
  await unruly.untilWaiting(1);
  await service.stop();
  await cut;
  release();
});
