import assert from 'node:assert/strict';
import { test } from 'node:test';
import { userKey } from '../../../../src/core/domain/user.ts';
import { costOf } from '../../../../src/core/identity/password-hash.ts';
import { PASSWORD, startTestService } from '../../../service/start.ts';
import { fail, tryBy } from '../../identity/on-the-wire/trying.ts';

test('TESSERA_LOCKOUT_DURATION is how long a lock-out lasts', async (t) => {
  const env = {
    TESSERA_THROTTLE_AFTER: '0',
    TESSERA_LOCKOUT_THRESHOLD: '3',
    TESSERA_LOCKOUT_DURATION: 'PT1M',
  };
  const { url, shiftClock } = await startTestService(t, env);
  await fail(3, url, 'admin');
  const { status, retryAfter = 0 } = await tryBy('post', url, 'admin', PASSWORD);
  assert.equal(status, 403);
  assert.ok(retryAfter > 0 && retryAfter <= 60, String(retryAfter));
  shiftClock(60_000);
  assert.ok((await tryBy('post', url, 'admin', PASSWORD)).letIn);
});

test('with TESSERA_NAMES_CASE_SENSITIVE a user is known by the name as it is written only', async (t) => {
  for (const [set, status] of [
    ['false', 200],
    ['true', 403],
  ] as const) {
    const { url } = await startTestService(t, { TESSERA_NAMES_CASE_SENSITIVE: set });
    assert.equal((await tryBy('post', url, 'admin', PASSWORD)).status, 200);
    assert.equal((await tryBy('post', url, 'ADMIN', PASSWORD)).status, status, set);
  }
});

test('password hashes are made over TESSERA_HASH_MEMORY, in TESSERA_HASH_PASSES and TESSERA_HASH_LANES', async (t) => {
  const env = { TESSERA_HASH_MEMORY: '16', TESSERA_HASH_PASSES: '3', TESSERA_HASH_LANES: '2' };
  const { url, store } = await startTestService(t, env);
  const admin = await store.read((unit) => unit.users.findByKey(userKey('admin')));
  assert.deepEqual(costOf(admin?.passwordHash ?? ''), { memory: 16, passes: 3, lanes: 2 });
  assert.ok((await tryBy('post', url, 'admin', PASSWORD)).letIn);
});

test('TESSERA_PASSWORD_LENGTH bounds a given password', async (t) => {
  const asLong = (length: number) => startTestService(t, { TESSERA_PASSWORD_LENGTH: String(length) });
  await assert.rejects(asLong(PASSWORD.length + 1), /choose one of 22 or more/);
  await asLong(PASSWORD.length);
});
