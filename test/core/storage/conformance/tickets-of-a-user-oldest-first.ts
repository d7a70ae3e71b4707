import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addUser, aTicket, issue, type MakeStore, NOW } from './samples.ts';

/** A user's tickets are listed and counted, live or not, oldest first. */
export function ticketsOfAUserOldestFirst(make: MakeStore): void {
  test('a user’s tickets are listed oldest first, and nobody else’s', async (t) => {
    const store = await make(t);
    const [ada, ben] = [await addUser(store, 'ada'), await addUser(store, 'ben')];
    const mine = [30, 10, 20, 0].map((after, n) => aTicket(n, ada, { issuedAt: NOW + after }));
    await issue(store, ...mine, aTicket(9, ben, { issuedAt: NOW + 15 }));
    const listed = await store.read((unit) => unit.tickets.listOf(ada.id));
    assert.deepEqual(
      listed.map(({ issuedAt }) => issuedAt - NOW),
      [0, 10, 20, 30],
    );
    assert.equal(await store.read((unit) => unit.tickets.countOf(ada.id)), 4);
    assert.equal(await store.read((unit) => unit.tickets.countOf(ben.id)), 1);
  });

  test('the order is that of issue, whatever was used since', async (t) => {
    const store = await make(t);
    const ada = await addUser(store, 'ada');
    await issue(store, aTicket(1, ada, { usedAt: NOW + 99 }), aTicket(2, ada, { issuedAt: NOW + 1 }));
    const listed = await store.read((unit) => unit.tickets.listOf(ada.id));
    assert.deepEqual(
      listed.map(({ issuedAt }) => issuedAt - NOW),
      [0, 1],
    );
  });

  test('tickets of an older generation are listed and counted too', async (t) => {
    const store = await make(t);
    const ada = await addUser(store, 'ada');
    await issue(store, aTicket(1, ada));
    await store.write(async (unit) => {
      await unit.users.change(ada.id, { generation: 1 });
      await unit.tickets.raiseServerGeneration();
    });
    assert.deepEqual(await store.read((unit) => unit.tickets.listOf(ada.id)), [aTicket(1, ada)]);
    assert.equal(await store.read((unit) => unit.tickets.countOf(ada.id)), 1);
  });
}
