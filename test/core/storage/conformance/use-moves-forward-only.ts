import assert from 'node:assert/strict';
import { test } from 'node:test';
import { aDigest, addUser, aTicket, issue, type MakeStore, NOW } from './samples.ts';

/** The last use moves forward, never back, and brings no ended ticket back. */
export function useMovesForwardOnly(make: MakeStore): void {
  test('a use moves the written one forward and never back, and touches no other ticket', async (t) => {
    const store = await make(t);
    const ada = await addUser(store, 'ada');
    await issue(store, aTicket(1, ada), aTicket(2, ada));
    for (const at of [NOW + 10, NOW + 30, NOW + 20, NOW - 10])
      await store.write((unit) => unit.tickets.use(aDigest(1), at));
    const expected = [aTicket(1, ada, { usedAt: NOW + 30 }), aTicket(2, ada)];
    const tickets = await store.read((unit) => unit.tickets.listOf(ada.id));
    assert.deepEqual(new Set(tickets), new Set(expected));
  });

  test('a use does not bring an ended ticket back', async (t) => {
    const store = await make(t);
    const ada = await addUser(store, 'ada');
    await issue(store, aTicket(1, ada));
    await store.write((unit) => unit.tickets.end(aDigest(1)));
    await store.write((unit) => unit.tickets.use(aDigest(1), NOW + 1));
    assert.equal(await store.read((unit) => unit.tickets.find(aDigest(1))), undefined);
    assert.equal(await store.read((unit) => unit.tickets.countOf(ada.id)), 0);
  });
}
