// Imported first, so that the modules below hash through the counter.
import '../counted-hashes.ts';
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PASSWORD, startTestService } from '../../../service/start.ts';
import { ask } from '../../../service/talk.ts';
import { hashes } from '../counted-hashes.ts';
import { BEHIND_PROXY, failUntilWaiting, REFUSED, tryBy, WAYS } from './trying.ts';

const HERE = '192.0.2.1';

/** Whether these seconds can be the rest of a wait of 15 minutes that has just begun. */
const isLong = (seconds = 0) => seconds > 840 && seconds <= 900;

test('while a name waits at an address every way in is refused without hashing, with the seconds to wait', async (t) => {
  const service = await startTestService(t, BEHIND_PROXY);
  await failUntilWaiting(service, 'admin', HERE);
  hashes.length = 0;
  for (const way of WAYS) {
    for (const password of [PASSWORD, 'wrong']) {
      const { status, challenge, retryAfter } = await tryBy(way, service.url, 'ADMIN', password, HERE);
      assert.deepEqual({ status, challenge }, REFUSED[way], way);
      assert.ok(isLong(retryAfter), `${way}: ${retryAfter}`);
    }
  }
  assert.equal(hashes.length, 0);
});

test('the answer to a hashed failure names no wait, the next answer does', async (t) => {
  const service = await startTestService(t);
  for (const { status, retryAfter } of await failUntilWaiting(service, 'admin'))
    assert.deepEqual([status, retryAfter], [403, undefined]);
  assert.ok(isLong((await tryBy('post', service.url, 'admin', 'wrong')).retryAfter));
});

test('of 40 parallel wrong attempts, by every way in, at most 5 are hashed', async (t) => {
  const { url, stopClock } = await startTestService(t);
  stopClock();
  hashes.length = 0;
  const attempts = Array.from({ length: 40 }, (_, index) => {
    const way = WAYS[index % WAYS.length] ?? 'get';
    return tryBy(way, url, 'admin', `wrong ${index}`).then((tried) => ({ way, ...tried }));
  });
  const tried = await Promise.all(attempts);
  for (const { way, status, challenge } of tried) assert.deepEqual({ status, challenge }, REFUSED[way]);
  assert.ok(hashes.length <= 5, `${hashes.length} were hashed`);
  assert.equal(tried.filter(({ retryAfter }) => retryAfter === undefined).length, hashes.length);
});

test('a cross-site login is refused without hashing, and is not counted', async (t) => {
  const { url } = await startTestService(t, { TESSERA_THROTTLE_AFTER: '2', TESSERA_LOCKOUT_THRESHOLD: '2' });
  hashes.length = 0;
  const body = JSON.stringify({ username: 'admin', password: PASSWORD });
  for (const headers of [
    { 'sec-fetch-site': 'cross-site' },
    { origin: 'null' },
    { origin: 'https://a.example' },
  ]) {
    const { status, text } = await ask(`${url}/api/login`, { method: 'POST', headers, body });
    assert.equal(status, 403);
    assert.match(text, /"message":"Cross-site login refused"/);
    assert.equal((await ask(`${url}/api/login?u=admin&pw=wrong`, { headers })).status, 403);
  }
  assert.equal(hashes.length, 0);
  assert.ok((await tryBy('post', url, 'admin', PASSWORD)).letIn);
});
