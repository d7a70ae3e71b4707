import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Event } from '../../../../src/core/domain/event.ts';
import { shortDigest } from '../../../../src/core/domain/ticket.ts';
import { aDigest, addUser, aTicket, issue, type MakeStore, NOW } from './samples.ts';

/** What a ticket ends with is known until the sweeper forgets it. */
export function ticketsEndWithTheirParent(make: MakeStore): void {
  test('the tickets that end with a session are found by it, and checked when that is due', async (t) => {
    const store = await make(t);
    const [session, other] = [aDigest(8), aDigest(9)];
    const tickets = [aDigest(1), aDigest(2), aDigest(3)] as const;
    const [first, second, third] = tickets;
    await store.write(async ({ ticketParents }) => {
      await ticketParents.put(second, session, NOW + 2);
      await ticketParents.put(first, session, NOW + 1);
      await ticketParents.put(third, other, NOW + 3);
      assert.deepEqual(await ticketParents.childrenOf(session), [first, second].sort());
    });
    const childrenOf = (parent: typeof session) =>
      store.read(({ ticketParents }) => ticketParents.childrenOf(parent));
    const due = (before: number, limit = 9) =>
      store.read(({ ticketParents }) => ticketParents.due(before, limit));
    assert.deepEqual(await childrenOf(session), [first, second].sort());
    assert.deepEqual(await childrenOf(first), []);
    assert.deepEqual(
      [await due(NOW + 1), await due(NOW + 3), await due(NOW + 9, 1)],
      [[], [first, second], [first]],
    );
    await store.write(async ({ ticketParents }) => {
      await ticketParents.postpone(first, NOW + 9);
      await ticketParents.remove(second);
      await ticketParents.remove(session);
    });
    assert.deepEqual([await due(NOW + 10), await childrenOf(session)], [[third, first], [first]]);
  });
  test('a session that ended is kept in place of a ticket, with the latest time', async (t) => {
    const store = await make(t);
    const [session, other] = [aDigest(8), aDigest(9)];
    for (const at of [NOW + 1, NOW + 5, NOW + 2])
      await store.write(({ ticketParents }) => ticketParents.put(session, session, at));
    const kept = await store.read(async ({ ticketParents }) => [
      await ticketParents.checkedAt(session),
      await ticketParents.checkedAt(other),
      await ticketParents.due(NOW + 5, 9),
      await ticketParents.due(NOW + 6, 9),
    ]);
    assert.deepEqual(kept, [NOW + 5, undefined, [], [session]]);
  });
  test('an end of a ticket ends the tickets whose parent it is, and no other', async (t) => {
    const store = await make(t);
    const ada = await addUser(store, 'ada');
    await issue(store, ...[1, 2, 3, 4].map((n) => aTicket(n, ada)));
    await store.write(async ({ ticketParents }) => {
      for (const n of [2, 3]) await ticketParents.put(aDigest(n), aDigest(1), NOW);
    });
    assert.equal(await store.read(({ ticketParents }) => ticketParents.parentOf(aDigest(2))), aDigest(1));
    assert.equal(await store.read(({ ticketParents }) => ticketParents.parentOf(aDigest(1))), undefined);
    const left = () =>
      store.read(({ tickets }) =>
        Promise.all([1, 2, 3, 4].map(async (n) => (await tickets.find(aDigest(n))) !== undefined)),
      );
    assert.deepEqual(await left(), [true, true, true, true]);
    assert.equal(await store.write(({ tickets }) => tickets.end(aDigest(3))), true);
    assert.deepEqual(await left(), [true, true, false, true]);
    assert.equal(await store.write(({ tickets }) => tickets.end(aDigest(1))), true);
    assert.deepEqual(await left(), [false, false, false, true]);
  });
  test('an event of the end of a ticket is followed by one of each ticket that ended together with it', async (t) => {
    const store = await make(t);
    const ada = await addUser(store, 'ada');
    await issue(store, ...[1, 2, 3, 4, 5, 6, 7].map((n) => aTicket(n, ada)));
    await store.write(async ({ ticketParents }) => {
      for (const n of [2, 3]) await ticketParents.put(aDigest(n), aDigest(1), NOW);
      for (const n of [5, 7]) await ticketParents.put(aDigest(n), aDigest(n - 1), NOW);
    });
    const named = (n: number) => shortDigest(aDigest(n));
    const origin = { at: NOW, user: 'ada', from: '192.0.2.1', program: 'curl' };
    const end = (n: number, ...told: readonly Event[]) =>
      store.write(async ({ tickets, events }) => {
        await tickets.end(aDigest(n));
        for (const event of told) await events.append(event);
      });
    const refused = { ...origin, kind: 'ticket-refused', digest: named(1) } as const;
    await end(3, { ...origin, kind: 'logout', digest: named(3) });
    await end(1, refused, { ...origin, kind: 'expiry', digest: named(1) });
    await end(1, { ...origin, kind: 'expiry', digest: named(1) });
    const undone = store.write(async ({ tickets }) => {
      await tickets.end(aDigest(4));
      throw new Error('undone');
    });
    await assert.rejects(undone, /undone/);
    await store.write(({ events }) => events.append({ ...origin, kind: 'logout', digest: named(4) }));
    await end(5, { ...origin, kind: 'logout', digest: named(5), reason: 'by acme' });
    await end(6, { ...origin, kind: 'logout', digest: named(7) });
    const told = await store.read(({ events }) => events.list({}));
    assert.deepEqual(
      told.map(({ kind, digest, reason }) => [kind, digest, reason]),
      [
        ['logout', named(3), undefined],
        ['ticket-refused', named(1), undefined],
        ['expiry', named(1), undefined],
        ['expiry', named(2), `by ticket ${named(1)}`],
        ['expiry', named(1), undefined],
        ['logout', named(4), undefined],
        ['logout', named(5), 'by acme'],
        ['logout', named(7), undefined],
        ['logout', named(6), `by ticket ${named(7)}`],
      ],
    );
    assert.deepEqual(
      told.filter(({ at, user, from, program }) => at !== NOW || !user || !from || !program),
      [],
    );
  });
  test('while a unit holds a ticket, another one that ends it waits, and ends what the first one adds to it', async (t) => {
    const store = await make(t);
    const ada = await addUser(store, 'ada');
    for (let n = 1; n < 12; n += 2) {
      const [parent, child] = [aTicket(n, ada), aTicket(n + 1, ada)];
      await issue(store, parent);
      const { promise: held, resolve: hold } = Promise.withResolvers<void>();
      const handsOver = store.write(async ({ tickets, ticketParents, clients }) => {
        assert.equal((await tickets.hold(parent.digest))?.user.name, 'ada');
        hold();
        for (let reads = 0; reads < 20; reads += 1) await clients.list();
        await tickets.issue(child);
        await ticketParents.put(child.digest, parent.digest, NOW);
      });
      await held;
      assert.equal(await store.write(({ tickets }) => tickets.end(parent.digest)), true);
      await handsOver;
      assert.equal(await store.read(({ tickets }) => tickets.find(child.digest)), undefined, `round ${n}`);
      assert.equal(
        await store.write(({ tickets }) => tickets.hold(parent.digest)),
        undefined,
        'it has ended',
      );
    }
  });
}
