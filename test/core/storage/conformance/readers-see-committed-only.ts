import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { holderOf } from '../../../../src/core/domain/user.ts';
import { addUser, aTicket, aUser, contents, issue, type MakeStore } from './samples.ts';

/** Milliseconds that a unit is kept under way for at most, so that a failing test ends. */
const PATIENCE = 10_000;

/** A read unit sees committed state only; a write unit sees what it wrote itself. */
export function readersSeeCommittedOnly(make: MakeStore): void {
  test('readers see nothing of a write unit under way, and all of it afterwards', async (t) => {
    const store = await make(t);
    const ada = await addUser(store, 'ada');
    await issue(store, aTicket(1, ada));
    const before = await contents(store);
    const staged = Promise.withResolvers<void>();
    let seen: typeof before | undefined;
    let seenWhileOpen = false;
    const writing = store.write(async (unit) => {
      await unit.users.add(aUser('ben'));
      await unit.tickets.end(aTicket(1, ada).digest);
      await unit.events.append({ at: 1, kind: 'logout' });
      staged.resolve();
      const giveUpAt = performance.now() + PATIENCE;
      while (seen === undefined && performance.now() < giveUpAt) {
        await unit.users.count();
        // An engine on the network answers in a later turn.
        await turn();
      }
      seenWhileOpen = seen !== undefined;
    });
    await staged.promise;
    seen = await contents(store);
    await writing;
    assert.ok(seenWhileOpen, 'the reader was answered only after the unit had ended');
    assert.deepEqual(seen, before);
    assert.deepEqual(await contents(store), { users: 2, tickets: 0, events: 1 });
  });

  test('a write unit sees what it wrote, over all tables', async (t) => {
    const store = await make(t);
    await store.write(async (unit) => {
      const ada = await unit.users.add(aUser('ada'));
      assert.ok(ada);
      await unit.users.change(ada.id, { generation: 7 });
      const ticket = aTicket(1, ada);
      await unit.tickets.issue(ticket);
      await unit.tickets.raiseServerGeneration();
      const user = { ...ada, generation: 7 };
      assert.deepEqual(await unit.users.findByKey('ada'), user);
      assert.deepEqual(await unit.users.list(), [user]);
      assert.equal(await unit.users.count(), 1);
      assert.deepEqual(await unit.tickets.find(ticket.digest), {
        ticket,
        user: holderOf(user),
        serverGeneration: 1,
      });
      assert.deepEqual(await unit.tickets.listOf(ada.id), [ticket]);
      assert.equal(await unit.tickets.countOf(ada.id), 1);
      await unit.events.append({ at: 1, kind: 'login', user: 'ada' });
      assert.equal((await unit.events.list({ user: 'ada' })).length, 1);
      await unit.tickets.end(ticket.digest);
      assert.equal(await unit.tickets.countOf(ada.id), 0);
    });
  });
}
