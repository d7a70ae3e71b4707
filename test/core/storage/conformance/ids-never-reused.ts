import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addUser, aTicket, aUser, issue, type MakeStore } from './samples.ts';

/** A new user gets an id that no user ever had, so that no ticket of a removed user becomes its ticket. */
export function idsNeverReused(make: MakeStore): void {
  test('the id of a removed user is never given again, be it the highest or the only one', async (t) => {
    const store = await make(t);
    const seen = new Set<number>();
    for (const name of ['ada', 'ben', 'ada', 'eve', 'ada']) {
      const { id } = await addUser(store, name);
      assert.ok(!seen.has(id), `id ${id} was given twice`);
      seen.add(id);
      await store.write((unit) => unit.users.remove(id));
    }
  });

  test('an id is not given again within the unit that removed it', async (t) => {
    const store = await make(t);
    const [first, second] = await store.write(async (unit) => {
      const ada = await unit.users.add(aUser('ada'));
      await unit.users.remove(ada?.id as number);
      return [ada, await unit.users.add(aUser('ada'))];
    });
    assert.notEqual(first?.id, second?.id);
  });

  test('a ticket of a removed user does not become that of a later one of the same name', async (t) => {
    const store = await make(t);
    const ada = await addUser(store, 'ada');
    const ticket = aTicket(1, ada);
    await issue(store, ticket);
    await store.write((unit) => unit.users.remove(ada.id));
    const later = await addUser(store, 'ada');
    assert.equal(await store.read((unit) => unit.tickets.find(ticket.digest)), undefined);
    assert.deepEqual(await store.read((unit) => unit.tickets.listOf(later.id)), []);
  });
}
