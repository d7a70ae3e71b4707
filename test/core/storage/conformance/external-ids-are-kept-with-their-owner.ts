import assert from 'node:assert/strict';
import { test } from 'node:test';
import { newGroup } from '../../../../src/core/domain/group.ts';
import type { Store } from '../../../../src/core/storage/store.ts';
import { addUser, type MakeStore } from './samples.ts';

async function addGroup(store: Store, name: string) {
  const group = await store.write(({ groups }) => groups.add(newGroup(name)));
  if (group === undefined) throw new Error(`${name} is taken`);
  return group;
}

/** The external id of a user or a group is found both ways, and goes with its owner. */
export function externalIdsAreKeptWithTheirOwner(make: MakeStore): void {
  test('an external id is found by its text and by its owner, and users and groups stand apart', async (t) => {
    const store = await make(t);
    const [ada, ben] = [await addUser(store, 'ada'), await addUser(store, 'ben')];
    const staff = await addGroup(store, 'Staff');
    await store.write(async ({ externalIds }) => {
      await externalIds.put('user', ben.id, 'x-\u{1f600}');
      await externalIds.put('user', ada.id, 'x-\u{1f600}');
      await externalIds.put('group', staff.id, 'X-1');
      assert.deepEqual(await externalIds.find('group', 'X-1'), [staff.id]);
    });
    await store.read(async ({ externalIds }) => {
      assert.deepEqual(await externalIds.find('user', 'x-\u{1f600}'), [ada.id, ben.id]);
      assert.deepEqual(await externalIds.find('user', 'X-1'), []);
      assert.deepEqual(await externalIds.find('group', 'x-1'), []);
      const all = await externalIds.of('user', [ada.id, ben.id, 1_000_000]);
      assert.deepEqual(
        [...all].sort(),
        [[ada.id, 'x-\u{1f600}'] as const, [ben.id, 'x-\u{1f600}'] as const].sort(),
      );
      assert.deepEqual([...(await externalIds.of('group', [staff.id]))], [[staff.id, 'X-1']]);
      assert.deepEqual([...(await externalIds.of('group', []))], []);
    });
    await store.write(async ({ externalIds }) => {
      await externalIds.put('user', ada.id, 'another');
      await externalIds.put('user', ben.id, undefined);
    });
    await store.read(async ({ externalIds }) => {
      assert.deepEqual(await externalIds.find('user', 'x-\u{1f600}'), []);
      assert.deepEqual([...(await externalIds.of('user', [ada.id, ben.id]))], [[ada.id, 'another']]);
    });
  });

  test('a removal takes the external id along, of the user or of the group alone', async (t) => {
    const store = await make(t);
    const ada = await addUser(store, 'ada');
    const staff = await addGroup(store, 'Staff');
    await store.write(async ({ externalIds }) => {
      await externalIds.put('user', ada.id, 'one');
      await externalIds.put('group', staff.id, 'one');
    });
    await store.write(({ users }) => users.remove(ada.id));
    await store.read(async ({ externalIds }) => {
      assert.deepEqual(await externalIds.find('user', 'one'), []);
      assert.deepEqual(await externalIds.find('group', 'one'), [staff.id]);
    });
    await store.write(({ groups }) => groups.remove(staff.id));
    await store.read(async ({ externalIds }) => {
      assert.deepEqual(await externalIds.find('group', 'one'), []);
    });
  });
}
