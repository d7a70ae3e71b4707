import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addUser, type MakeStore, NOW } from './samples.ts';

/** The users of whom something was revoked are found by the time of the last revocation. */
export function revocationsAreNoted(make: MakeStore): void {
  test('users are found by the time of their last revocation', async (t) => {
    const store = await make(t);
    const [ada, ben, eve] = [
      await addUser(store, 'ada'),
      await addUser(store, 'ben'),
      await addUser(store, 'eve'),
    ];
    const since = (at: number, limit = 10) =>
      store.read(async ({ users }) => (await users.revokedSince(at, limit)).sort((a, b) => a - b));
    assert.deepEqual(await since(1), []);
    await store.write(async ({ users }) => {
      await users.noteRevocation(ada.id, NOW);
      await users.noteRevocation(ben.id, NOW + 5);
      await users.noteRevocation(ada.id, NOW - 1);
      await users.noteRevocation(eve.id, NOW + 9);
    });
    assert.deepEqual(await since(NOW), [ada.id, ben.id, eve.id]);
    assert.deepEqual(await since(NOW + 5), [ben.id, eve.id]);
    assert.deepEqual(await since(NOW + 10), []);
    assert.equal((await since(NOW, 2)).length, 2);
    await store.write(({ users }) => users.remove(eve.id));
    assert.deepEqual(await since(NOW + 6), []);
  });
}
