import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PROFILE_FIELDS, type Profile } from '../../../../src/core/domain/profile.ts';
import { addUser, type MakeStore } from './samples.ts';

const FULL: Required<Profile> = {
  firstName: 'Ada',
  lastName: 'Lovelace',
  email: 'ada@example.com',
  organization: 'Analytical Engines',
  jobTitle: 'Analyst',
  telephone: '+44 1',
  mobile: '+44 2',
  location: 'London',
  description: `Wrote "Note G" <&> 😀`,
};

/** A profile comes back as it was put, replaces the one before, and goes with its user. */
export function profilesAreKeptWithTheUser(make: MakeStore): void {
  test('a profile comes back as it was put, field by field', async (t) => {
    const store = await make(t);
    const [ada, ben, cy] = [
      await addUser(store, 'ada'),
      await addUser(store, 'ben'),
      await addUser(store, 'cy'),
    ];
    assert.deepEqual(await store.read((unit) => unit.profiles.find(ada.id)), {});
    await store.write(async ({ profiles }) => {
      await profiles.put(ada.id, FULL);
      await profiles.put(ben.id, { email: 'ben@example.com' });
    });
    await store.read(async ({ profiles }) => {
      assert.deepEqual(await profiles.find(ada.id), FULL);
      assert.deepEqual(Object.keys(await profiles.find(ada.id)), [...PROFILE_FIELDS]);
      const all = await profiles.ofUsers([ada.id, ben.id, cy.id, 1_000_000]);
      assert.deepEqual(
        [...all].sort(([a], [b]) => a - b),
        [
          [ada.id, FULL],
          [ben.id, { email: 'ben@example.com' }],
        ],
      );
      assert.equal((await profiles.ofUsers([])).size, 0);
    });
  });

  test('a profile replaces the one before, and a fault of the unit leaves that', async (t) => {
    const store = await make(t);
    const ada = await addUser(store, 'ada');
    const find = () => store.read((unit) => unit.profiles.find(ada.id));
    await store.write((unit) => unit.profiles.put(ada.id, FULL));
    await store.write((unit) => unit.profiles.put(ada.id, { lastName: 'King' }));
    assert.deepEqual(await find(), { lastName: 'King' });
    const failing = store.write(async ({ profiles }) => {
      await profiles.put(ada.id, FULL);
      assert.deepEqual(await profiles.find(ada.id), FULL);
      throw new Error('on purpose');
    });
    await assert.rejects(failing, /on purpose/);
    assert.deepEqual(await find(), { lastName: 'King' });
    await store.write((unit) => unit.profiles.put(ada.id, {}));
    assert.deepEqual(await find(), {});
  });

  test('a removed user leaves no profile, role or membership for the one who gets the name', async (t) => {
    const store = await make(t);
    const [ada, ben] = [await addUser(store, 'ada'), await addUser(store, 'ben')];
    const group = { name: 'Staff', key: 'staff', displayName: 'Staff', role: undefined };
    const staff = await store.write(async ({ users, profiles, roles, groups }) => {
      const added = await groups.add(group);
      assert.ok(added);
      for (const { id } of [ada, ben]) {
        await profiles.put(id, FULL);
        await roles.give(id, 'auditor');
        await groups.addUser(added.id, id);
      }
      await users.remove(ada.id);
      return added;
    });
    const again = await addUser(store, 'ada');
    await store.read(async ({ users, profiles, roles, groups }) => {
      for (const id of [ada.id, again.id]) {
        assert.deepEqual(await profiles.find(id), {});
        assert.equal(await roles.of(id), undefined);
        assert.deepEqual(await groups.ofUser(id), []);
      }
      assert.deepEqual(
        (await groups.usersIn(staff.id, 0, 10)).map(({ name }) => name),
        ['ben'],
      );
      assert.deepEqual(
        (await users.search({ part: 'lovelace' }, undefined, 10)).map(({ name }) => name),
        ['ben'],
      );
      assert.equal(await roles.of(ben.id), 'auditor');
    });
  });
}
