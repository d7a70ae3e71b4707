import assert from 'node:assert/strict';
import { test } from 'node:test';
import { UNTIL_UNLOCKED } from '../../../../src/core/domain/user.ts';
import { PASSWORD, startTestService, type TestService } from '../../../service/start.ts';
import { ask } from '../../../service/talk.ts';
import { BEHIND_PROXY, tryBy, WAYS, type Way } from './trying.ts';

const MINUTE = 60_000;

/** The answers to logins under a name from 6 addresses, the last of them during its lock-out. */
async function seenOf(service: TestService, way: Way, name: string, from: string): Promise<string[]> {
  const seen: string[] = [];
  for (let host = 1; host <= 6; host += 1) {
    const tried = await tryBy(way, service.url, name, `wrong ${host}`, `${from}.${host}`);
    const { status, body, challenge, retryAfter } = tried;
    seen.push([status, body, challenge, retryAfter === undefined ? 'at once' : 'later'].join(' '));
  }
  return seen;
}

for (const way of WAYS) {
  test(`by ${way} a name that no user has, or can have, is refused like a user`, async (t) => {
    const service = await startTestService(t, { ...BEHIND_PROXY, TESSERA_LOCKOUT_THRESHOLD: '4' });
    for (const name of ['known', 'disabled', 'locked']) await service.addUser(name);
    await service.store.write(async (unit) => {
      const idOf = async (key: string) => (await unit.users.findByKey(key))?.id ?? 0;
      await unit.users.change(await idOf('disabled'), { disabled: true });
      await unit.users.change(await idOf('locked'), { lockedUntil: UNTIL_UNLOCKED });
    });
    const known = await seenOf(service, way, 'known', '10.0.0');
    assert.match(known.join(), /at once.*later/);
    const names = [
      'nobody',
      'disabled',
      'locked',
      'no\u0000body',
      'x'.repeat(300),
      '<b>&"\'; DROP TABLE users',
    ];
    for (const [index, name] of names.entries())
      assert.deepEqual(await seenOf(service, way, name, `10.0.${index + 1}`), known, name);
  });
}

test('a user without a password logs in with none, an empty or any other password, by every way in', async (t) => {
  const service = await startTestService(t);
  await service.addUser('guest', { password: undefined });
  for (const way of WAYS) {
    for (const password of [undefined, '', 'anything', PASSWORD])
      assert.ok((await tryBy(way, service.url, 'Guest', password)).letIn, `${way} ${password}`);
  }
  assert.equal((await ask(`${service.url}/api/login?u=guest&pw`)).status, 200);
});

test('a disabled user without a password is answered like a name that no user has', async (t) => {
  const service = await startTestService(t, { TESSERA_THROTTLE_AFTER: '0' });
  await service.addUser('guest', { password: undefined });
  await service.store.write(async (unit) => {
    const guest = await unit.users.findByKey('guest');
    await unit.users.change(guest?.id ?? 0, { disabled: true });
  });
  service.shiftClock(MINUTE);
  for (const way of WAYS) {
    for (const password of [undefined, '', 'anything']) {
      const guest = await tryBy(way, service.url, 'guest', password);
      assert.equal(guest.letIn, false);
      assert.deepEqual(guest, await tryBy(way, service.url, 'nobody', password), `${way} ${password}`);
    }
  }
});
