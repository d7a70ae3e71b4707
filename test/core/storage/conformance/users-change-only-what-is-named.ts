import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { UserChange } from '../../../../src/core/storage/store.ts';
import { addUser, type MakeStore } from './samples.ts';

/** A change touches the fields it names, of the one user. */
export function usersChangeOnlyWhatIsNamed(make: MakeStore): void {
  const changes: Record<string, UserChange> = {
    'the password': { passwordHash: 'another' },
    'the password to none': { passwordHash: undefined },
    'being disabled': { disabled: true },
    'the lock': { lockedUntil: 9_000 },
    'the generation': { generation: 5 },
    'the duty to choose a new password': { mustChangePassword: true },
    'the provider': { provider: 'ldap' },
    'the second factor': { hasSecondFactor: true },
    'when it was asked for a second factor': { secondFactorAskedAt: 5 },
    'when it last logged in': { lastLoginAt: 5 },
    'several things': { generation: 6, lockedUntil: 0, disabled: true },
  };
  for (const [what, change] of Object.entries(changes)) {
    test(`a change of ${what} leaves the rest of the user as it was`, async (t) => {
      const store = await make(t);
      const user = await addUser(store, 'ada', { generation: 4, lockedUntil: 8_000, administrator: true });
      await addUser(store, 'ben');
      const ben = await store.read((unit) => unit.users.findByKey('ben'));
      await store.write((unit) => unit.users.change(user.id, change));
      assert.deepEqual(await store.read((unit) => unit.users.find(user.id)), { ...user, ...change });
      assert.deepEqual(await store.read((unit) => unit.users.findByKey('ben')), ben);
    });
  }

  test('a disabled and locked user can be enabled and unlocked', async (t) => {
    const store = await make(t);
    const user = await addUser(store, 'ada', { disabled: true, lockedUntil: 8_000 });
    const change = { disabled: false, lockedUntil: 0 };
    await store.write((unit) => unit.users.change(user.id, change));
    assert.deepEqual(await store.read((unit) => unit.users.find(user.id)), { ...user, ...change });
  });
}
