import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Store } from '../../../../src/core/storage/store.ts';
import { addUser, type MakeStore } from './samples.ts';

const told = (store: Store, ...keys: string[]) =>
  store.read(({ users }) => Promise.all(keys.map((key) => users.wasRemoved(key))));

/** The key of a removed user is remembered for good. */
export function removedNamesAreRemembered(make: MakeStore): void {
  test('the key of a removed user is remembered, also when the name is added and removed again', async (t) => {
    const store = await make(t);
    const ann = await addUser(store, 'Ann');
    await addUser(store, 'bob');
    assert.deepEqual(await told(store, 'ann', 'bob'), [false, false]);
    await store.write(async ({ users }) => {
      await users.remove(ann.id);
      assert.equal(await users.wasRemoved('ann'), true);
    });
    assert.deepEqual(await told(store, 'ann', 'Ann', 'bob'), [true, false, false]);
    const again = await addUser(store, 'Ann');
    assert.deepEqual(await told(store, 'ann'), [true]);
    await store.write(({ users }) => users.remove(again.id));
    assert.deepEqual(await told(store, 'ann'), [true]);
  });

  test('the removal of nobody is not remembered, and neither is one that was undone', async (t) => {
    const store = await make(t);
    const ann = await addUser(store, 'ann');
    await store.write(({ users }) => users.remove(ann.id + 1));
    const fault = new Error('on purpose');
    const undone = store.write(async ({ users }) => {
      await users.remove(ann.id);
      throw fault;
    });
    await assert.rejects(undone, fault);
    assert.deepEqual(await told(store, 'ann', ''), [false, false]);
  });
}
