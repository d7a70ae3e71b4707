import assert from 'node:assert/strict';
import { test } from 'node:test';
import { holderOf } from '../../../../src/core/domain/user.ts';
import { addUser, aTicket, familiarSince, issue, type MakeStore, NOW } from './samples.ts';

/** A removed user is gone with its familiar addresses, and its tickets are dead. No other user changes. */
export function aRemovalTakesTheUserAlong(make: MakeStore): void {
  test('a removed user is found nowhere, and its tickets are dead', async (t) => {
    const store = await make(t);
    const [ada, ben] = [await addUser(store, 'ada'), await addUser(store, 'ben')];
    await issue(store, aTicket(1, ada), aTicket(2, ben));
    await store.write((unit) => unit.users.remove(ada.id));
    await store.read(async ({ users, tickets }) => {
      assert.equal(await users.find(ada.id), undefined);
      assert.equal(await users.findByKey('ada'), undefined);
      assert.deepEqual(await users.list(), [ben]);
      assert.equal(await users.count(), 1);
      assert.equal(await tickets.find(aTicket(1, ada).digest), undefined);
      assert.deepEqual((await tickets.find(aTicket(2, ben).digest))?.user, holderOf(ben));
    });
  });

  test('a removed user takes its familiar addresses along, and no one else’s', async (t) => {
    const store = await make(t);
    const [ada, ben] = [await addUser(store, 'ada'), await addUser(store, 'ben')];
    await store.write(async ({ users, attempts }) => {
      for (const address of ['192.0.2.1', '192.0.2.2']) await attempts.setFamiliar(ada.id, address, NOW);
      await attempts.setFamiliar(ben.id, '192.0.2.1', NOW);
      await users.remove(ada.id);
    });
    for (const later of ['removed', 'added again']) {
      if (later === 'added again') await addUser(store, 'ada');
      await store.read(async (unit) => {
        assert.equal(await familiarSince(unit, 'ada', '192.0.2.1'), undefined, later);
        assert.equal(await familiarSince(unit, 'ada', '192.0.2.2'), undefined, later);
        assert.equal(await familiarSince(unit, 'ben', '192.0.2.1'), NOW, later);
      });
    }
    assert.equal(await store.write((unit) => unit.attempts.sweepFamiliar(NOW + 1, 10)), 1);
  });
}
