import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addUser, aUser, type MakeStore } from './samples.ts';

/** A key is taken once: a second user under it is not added, and the first stays as it was. */
export function usersAddOnce(make: MakeStore): void {
  test('a user is added once under its key', async (t) => {
    const store = await make(t);
    const first = await addUser(store, 'Ada', { administrator: true });
    const second = await store.write((unit) => unit.users.add(aUser('ADA')));
    assert.equal(second, undefined);
    assert.deepEqual(await store.read((unit) => unit.users.list()), [first]);
  });

  test('of units that add the same key together, one adds it', async (t) => {
    const store = await make(t);
    const tries = ['ada', 'Ada', 'ADA'].map((name) => store.write((unit) => unit.users.add(aUser(name))));
    const added = (await Promise.all(tries)).filter((user) => user !== undefined);
    assert.equal(added.length, 1);
    assert.deepEqual(await store.read((unit) => unit.users.list()), added);
  });

  test('a taken key spoils nothing else of the unit', async (t) => {
    const store = await make(t);
    await addUser(store, 'ada');
    await store.write(async (unit) => {
      await unit.users.add(aUser('ada'));
      await unit.users.add(aUser('ben'));
    });
    assert.equal(await store.read((unit) => unit.users.count()), 2);
  });

  test('a key is free again once its user is removed', async (t) => {
    const store = await make(t);
    const { id } = await addUser(store, 'ada');
    await store.write((unit) => unit.users.remove(id));
    assert.equal((await addUser(store, 'Ada')).name, 'Ada');
  });
}
