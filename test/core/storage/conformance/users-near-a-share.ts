import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addUser, type MakeStore } from './samples.ts';

/** Every share of the ids finds a user if there is any, and the same one each time. */
export function usersNearAShare(make: MakeStore): void {
  test('the user near a share is the next by id, and the same each time', async (t) => {
    const store = await make(t);
    const near = (share: number) => store.read(async ({ users }) => (await users.near(share))?.name);
    assert.equal(await near(0.5), undefined);
    for (const name of ['a', 'b', 'c', 'd']) await addUser(store, name);
    const shares = [0, 0.24, 0.26, 0.51, 0.76, 0.999_999];
    const told = () => Promise.all(shares.map(near));
    assert.deepEqual(await told(), ['a', 'a', 'b', 'c', 'd', 'd']);
    const [, b] = await store.read(({ users }) => users.list());
    await store.write((unit) => unit.users.remove(b?.id as number));
    assert.deepEqual(await told(), ['a', 'a', 'c', 'c', 'd', 'd']);
    assert.equal(await store.write(async ({ users }) => (await users.near(0.3))?.name), 'c');
  });
}
