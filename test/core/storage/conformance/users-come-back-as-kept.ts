import assert from 'node:assert/strict';
import { test } from 'node:test';
import { UNTIL_UNLOCKED, type User } from '../../../../src/core/domain/user.ts';
import { addUser, type MakeStore } from './samples.ts';

/** Every field of a user beside its name, each with another value than a new user has. */
const ODD: Required<Omit<User, 'id' | 'key' | 'name'>> = {
  administrator: true,
  passwordHash: 'a hash',
  disabled: true,
  lockedUntil: 7,
  generation: 3,
  mustChangePassword: true,
  provider: 'ldap',
  hasSecondFactor: true,
  secondFactorAskedAt: 9,
  lastLoginAt: 11,
};

/** A user is read back as it was added, by id, by key and in the list. */
export function usersComeBackAsKept(make: MakeStore): void {
  test('a user comes back as it was added, by id, by key and in the list', async (t) => {
    const store = await make(t);
    const names = ['Ada', "Robert'); DROP TABLE users;--", '<Zoë> & "Åsa"', '漢字 😀', '%_\\', 'a\u0301 b'];
    const added = [];
    for (const name of names) added.push(await addUser(store, name, ODD));
    for (const user of added) {
      assert.deepEqual(await store.read((unit) => unit.users.find(user.id)), user);
      assert.deepEqual(await store.read((unit) => unit.users.findByKey(user.key)), user);
    }
    const listed = await store.read((unit) => unit.users.list());
    assert.deepEqual(new Set(listed.map(({ name }) => name)), new Set(names));
  });

  test('a user without a password, disabled and locked until it is unlocked, comes back so', async (t) => {
    const store = await make(t);
    const more = {
      passwordHash: undefined,
      administrator: true,
      disabled: true,
      lockedUntil: UNTIL_UNLOCKED,
    };
    const user = await addUser(store, 'guest', more);
    assert.deepEqual(await store.read((unit) => unit.users.find(user.id)), { ...user, ...more });
  });

  test('keys are compared as they are, by no collation of the engine', async (t) => {
    const store = await make(t);
    for (const key of ['ada', 'ADA', 'ada ', 'ádá']) await addUser(store, 'someone', { key });
    assert.equal(await store.read((unit) => unit.users.count()), 4);
    assert.equal(await store.read((unit) => unit.users.findByKey('Ada')), undefined);
  });
}
