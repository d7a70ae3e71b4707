import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { TicketOrigin } from '../../../../src/core/domain/ticket.ts';
import type { Store } from '../../../../src/core/storage/store.ts';
import { aDigest, addUser, aTicket, issue, issueFrom, type MakeStore, NOW } from './samples.ts';

const HOME: TicketOrigin = {
  from: '192.0.2.1',
  program: 'Mozilla/5.0 (X11; Linux) é',
  appPassword: undefined,
};
const WORK: TicketOrigin = { from: '2001:db8::/64', program: undefined, appPassword: 'Zoë’s mail' };
const PROGRAM: TicketOrigin = { ...HOME, tokenProvider: 'acme' };
const APPLICATION: TicketOrigin = { ...HOME, application: 'grafana', methods: ['pwd', 'otp'] };
const PROVED: TicketOrigin = { ...HOME, methods: ['fed'] };

/** The `n`th ticket, as its origin is found. */
const issuedAs = (n: number) => ({ digest: aDigest(n), issuedAt: NOW });

const origins = (store: Store, ...numbers: readonly number[]) =>
  store.read((unit) => unit.tickets.originsOf(numbers.map(issuedAs)));

/** Issues the first ticket of a new user, from HOME. */
async function issued(store: Store) {
  const ada = await addUser(store, 'ada');
  await issueFrom(store, HOME, aTicket(1, ada));
  return ada;
}

/** Where a ticket was issued is kept until the ticket ends. */
export function aTicketKeepsItsOrigin(make: MakeStore): void {
  test('origins come back in the order that is asked for, and none of a ticket that has none', async (t) => {
    const store = await make(t);
    const ada = await issued(store);
    await issue(store, aTicket(2, ada));
    await issueFrom(store, WORK, aTicket(3, ada));
    for (const [at, origin] of [PROGRAM, APPLICATION, PROVED].entries())
      await issueFrom(store, origin, aTicket(at + 5, ada));
    assert.deepEqual(await origins(store, 3, 4, 1, 2), [WORK, undefined, HOME, undefined]);
    assert.deepEqual(await origins(store, 6, 5, 7), [APPLICATION, PROGRAM, PROVED]);
    assert.deepEqual(await origins(store), []);
  });

  test('an origin outlives uses, moves and the end of other tickets', async (t) => {
    const store = await make(t);
    const ada = await issued(store);
    await issue(store, aTicket(2, ada));
    await issueFrom(store, WORK, aTicket(3, ada));
    await store.write(async ({ tickets, users }) => {
      await users.change(ada.id, { generation: 1 });
      for (const n of [1, 3]) {
        await tickets.use(aDigest(n), NOW + 10);
        await tickets.moveToGeneration(aDigest(n), 1);
      }
      await tickets.end(aDigest(2));
    });
    assert.deepEqual(await origins(store, 1, 3), [HOME, WORK]);
    for (const n of [1, 3]) {
      const held = await store.read((unit) => unit.tickets.find(aDigest(n)));
      assert.deepEqual(held?.ticket, aTicket(n, ada, { usedAt: NOW + 10, userGeneration: 1 }));
    }
  });

  test('an origin goes with its ticket, for the unit that ends it too', async (t) => {
    const store = await make(t);
    const ada = await issued(store);
    await store.write(async ({ tickets }) => {
      await tickets.end(aDigest(1));
      assert.deepEqual(await tickets.originsOf([issuedAs(1)]), [undefined]);
    });
    assert.deepEqual(await origins(store, 1), [undefined]);
    await issue(store, aTicket(1, ada));
    assert.deepEqual(await origins(store, 1), [undefined]);
  });

  test('an origin is seen in its own unit at once, and after a fault by no unit', async (t) => {
    const store = await make(t);
    const ada = await addUser(store, 'ada');
    const work = store.write(async ({ tickets }) => {
      await tickets.issue(aTicket(1, ada));
      await tickets.setOrigin(issuedAs(1), HOME);
      assert.deepEqual(await tickets.originsOf([issuedAs(1)]), [HOME]);
      assert.deepEqual(await origins(store, 1), [undefined]);
      throw new Error('undone');
    });
    await assert.rejects(work, /undone/);
    await issue(store, aTicket(1, ada));
    assert.deepEqual(await origins(store, 1), [undefined]);
  });
}
