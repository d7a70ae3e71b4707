import assert from 'node:assert/strict';
import { availableParallelism } from 'node:os';
import { test } from 'node:test';
import { startTestService } from '../../../service/start.ts';
import { ask, logIn } from '../../../service/talk.ts';
import { tryBy } from './trying.ts';

/** A hash that takes much of a second, and a queue whose deadline is much shorter. */
const SLOW = { TESSERA_HASH_MEMORY: '65536', TESSERA_HASH_PASSES: '16', TESSERA_HASH_DEADLINE: 'PT0.05S' };

test('logins beyond the deadline of the hash queue are 503, while validations are answered', async (t) => {
  const { url } = await startTestService(t, SLOW);
  const ticket = await logIn(url);
  const waysIn = Array.from({ length: availableParallelism() + 6 }, (_, index) =>
    tryBy(index % 2 === 0 ? 'post' : 'basic', url, `name ${index}`, 'wrong'),
  );
  let done = 0;
  for (const wayIn of waysIn) {
    void wayIn.then(() => {
      done += 1;
    });
  }
  const validated = await ask(`${url}/api/login/ticket/${ticket}?alf_ticket=${ticket}`);
  assert.equal(validated.status, 200);
  assert.ok(done < waysIn.length, 'a login was still under way');
  const tried = await Promise.all(waysIn);
  const full = tried.filter(({ status }) => status === 503);
  assert.ok(full.length >= 1, 'some did not get their turn');
  for (const { retryAfter, body, challenge } of full) {
    assert.equal(retryAfter, 2);
    assert.equal(challenge, null);
    assert.match(body, /"name":"Service Unavailable"/);
  }
  for (const { status } of tried) assert.ok([401, 403, 503].includes(status), String(status));
});

test('a login without a turn is not a failure of its name', async (t) => {
  const service = await startTestService(t, {
    ...SLOW,
    TESSERA_THROTTLE_AFTER: '1',
    TESSERA_LOCKOUT_THRESHOLD: '1',
  });
  const others = Array.from({ length: availableParallelism() }, (_, index) =>
    tryBy('post', service.url, `name ${index}`, 'wrong'),
  );
  const tried = await tryBy('post', service.url, 'admin', 'wrong');
  await Promise.all(others);
  const { lockedUntil = -1 } = (await service.store.read((unit) => unit.users.findByKey('admin'))) ?? {};
  assert.equal(lockedUntil > 0, tried.status === 403, 'locked out only when the password was looked at');
});
