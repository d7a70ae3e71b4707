import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addUser, aTicket, aTry, issue, type MakeStore } from './samples.ts';

/** A renamed user is found by the new name only, with everything that belongs to it. */
export function usersAreRenamed(make: MakeStore): void {
  test('a renamed user keeps its tickets and is found by the new name only', async (t) => {
    const store = await make(t);
    const [ada, ben] = [await addUser(store, 'ada'), await addUser(store, 'ben')];
    const ticket = aTicket(1, ada);
    await issue(store, ticket);
    const states = () =>
      store.read(async ({ attempts }) => [
        (await attempts.throttleState(aTry('ada'))).user?.id,
        (await attempts.throttleState(aTry('lovelace'))).user?.id,
      ]);
    // What was looked up before must not be remembered.
    assert.deepEqual(await states(), [ada.id, undefined]);
    assert.equal((await store.read(({ tickets }) => tickets.find(ticket.digest)))?.user.name, 'ada');
    assert.equal(await store.write(({ users }) => users.rename(ada.id, 'Lovelace', 'lovelace')), true);
    assert.deepEqual(await states(), [undefined, ada.id]);
    await store.read(async ({ users, tickets }) => {
      const renamed = { ...ada, name: 'Lovelace', key: 'lovelace' };
      assert.deepEqual(await users.find(ada.id), renamed);
      assert.deepEqual(await users.findByKey('lovelace'), renamed);
      assert.equal(await users.findByKey('ada'), undefined);
      assert.deepEqual(await users.list(), [ben, renamed]);
      assert.equal((await tickets.find(ticket.digest))?.user.name, 'Lovelace');
      assert.equal(await users.wasRemoved('ada'), false);
    });
    assert.ok(await addUser(store, 'ada'));
  });

  test('a search finds a renamed user by the new name and by its profile', async (t) => {
    const store = await make(t);
    const [ada, ben] = [await addUser(store, 'adalbert'), await addUser(store, 'benedict')];
    await store.write(async ({ users, profiles }) => {
      await profiles.put(ada.id, { email: 'countess@example.org' });
      await users.rename(ada.id, 'lovelace', 'lovelace');
      await users.rename(ben.id, 'Bernard', 'bernard');
    });
    const found = (part: string) =>
      store.read(async ({ users }) => (await users.search({ part }, undefined, 10)).map(({ name }) => name));
    assert.deepEqual(await found('ovelac'), ['lovelace']);
    assert.deepEqual(await found('countess'), ['lovelace']);
    assert.deepEqual(await found('bernar'), ['Bernard']);
    for (const old of ['adalbert', 'benedict']) assert.deepEqual(await found(old), []);
  });

  test('a user does not get the key of another one, and may keep its own', async (t) => {
    const store = await make(t);
    const [ada, ben] = [await addUser(store, 'ada'), await addUser(store, 'ben')];
    const rename = (id: number, name: string, key: string) =>
      store.write(({ users }) => users.rename(id, name, key));
    assert.equal(await rename(ada.id, 'BEN', 'ben'), false);
    assert.deepEqual(await store.read(({ users }) => users.list()), [ada, ben]);
    assert.equal(await rename(ada.id, 'Ada', 'ada'), true);
    assert.equal((await store.read(({ users }) => users.find(ada.id)))?.name, 'Ada');
    assert.equal(await rename(1_000_000, 'x', 'x'), false);
  });
}
