import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import type { Event } from '../../../src/core/domain/event.ts';
import type { HeldTicket } from '../../../src/core/domain/ticket.ts';
import { Bookkeeping } from '../../../src/core/gate/bookkeeping.ts';
import { StoreUnavailable } from '../../../src/core/storage/store.ts';
import { digestLike, heldLike, userLike } from '../domain/samples.ts';
import { ChangedStore, withEvents, withTickets } from './changed-store.ts';

const IDLE = 3_600_000;
const DUE = IDLE / 10 + 1;
const REFUSED: Event = { at: 0, kind: 'login-refused', user: 'ann', from: '192.0.2.1', reason: 'waiting' };

/** Book-keeping over a store that holds these tickets. */
async function over(...held: HeldTicket[]) {
  const store = new ChangedStore();
  const faults: unknown[] = [];
  await store.aside(async (unit) => {
    const { id: _, ...user } = userLike();
    await unit.users.add(user);
    for (const { ticket } of held) await unit.tickets.issue(ticket);
  });
  const books = new Bookkeeping(
    store,
    { idle: IDLE, age: Number.POSITIVE_INFINITY },
    (fault) => void faults.push(fault),
  );
  return {
    store,
    books,
    faults,
    writes: () => store.writes,
    uses: () =>
      store.aside(async (unit) =>
        (await unit.tickets.page(undefined, 10)).map(({ ticket }) => ticket.usedAt),
      ),
    events: () => store.aside((unit) => unit.events.list({})),
  };
}

const heldAs = (first: number) => heldLike({ digest: digestLike(first) });

/** Makes the next write fail once it has begun, and calls `meanwhile` before that. */
function cutNextWrite(store: ChangedStore, meanwhile: () => void = () => undefined): void {
  store.beforeNextWrite = async () => {
    await turn();
    meanwhile();
    throw new Error('the line is cut');
  };
}

test('with nothing to write no unit is opened', async () => {
  const { books, writes } = await over();
  await books.flush();
  assert.equal(writes(), 0);
});

test('a use is written when it is due, the last of many, and all tickets in one unit', async () => {
  const [one, other] = [heldAs(1), heldAs(2)];
  const { books, uses, writes } = await over(one, other);
  books.used(one, DUE - 1);
  await books.flush();
  assert.equal(writes(), 0);
  for (const at of [DUE, DUE + 5, DUE + 9]) books.used(one, at);
  books.used(other, DUE + 1);
  await books.flush();
  assert.deepEqual(await uses(), [DUE + 9, DUE + 1]);
  assert.equal(writes(), 1);
});

test('a use does not bring back a ticket that has ended since', async () => {
  const one = heldAs(1);
  const { books, store, uses } = await over(one);
  books.used(one, DUE);
  await store.aside((unit) => unit.tickets.end(one.ticket.digest));
  await books.flush();
  assert.deepEqual(await uses(), []);
});

test('the buffer is written within a second, and at once for a ticket close to its end', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const { books, writes } = await over(heldAs(1));
  books.used(heldAs(1), DUE);
  books.tally(REFUSED);
  t.mock.timers.tick(999);
  assert.equal(writes(), 0);
  t.mock.timers.tick(1);
  await turn();
  assert.equal(writes(), 2);
  books.tally(REFUSED);
  books.used(heldAs(1), IDLE - 1_500);
  t.mock.timers.tick(1);
  await turn();
  assert.equal(writes(), 4);
  await books.flush();
});

test('tries that are refused in the same way are counted in one row, others in their own rows', async () => {
  const { books, events } = await over();
  for (let time = 0; time < 500; time += 1) books.tally(REFUSED);
  for (const different of [{ user: 'ben' }, { from: '192.0.2.2' }, { reason: 'locked' }])
    books.tally({ ...REFUSED, ...different });
  await books.flush();
  for (let time = 0; time < 7; time += 1) books.tally({ ...REFUSED, at: 59_999 });
  await books.flush();
  books.tally({ ...REFUSED, at: 60_000 });
  await books.flush();
  const counts = (await events()).map(({ user, from, reason, count }) => [user, from, reason, count]);
  assert.deepEqual(counts, [
    ['ann', '192.0.2.1', 'waiting', 507],
    ['ben', '192.0.2.1', 'waiting', 1],
    ['ann', '192.0.2.2', 'waiting', 1],
    ['ann', '192.0.2.1', 'locked', 1],
    ['ann', '192.0.2.1', 'waiting', 1],
  ]);
});

test('different tries above 10,000 are counted together by kind, and none is lost', async () => {
  const { books, store } = await over();
  const rows: (Event & { times: number })[] = [];
  store.change = (unit) =>
    withEvents(unit, { tally: async (event, times) => void rows.push({ ...event, times }) });
  // A minute makes 1,000 rows at most: these are of eleven minutes.
  for (let index = 0; index < 10_050; index += 1)
    books.tally({ ...REFUSED, user: `name ${index}`, at: Math.floor(index / 1_000) * 60_000 });
  for (let index = 0; index < 20; index += 1)
    books.tally({ ...REFUSED, kind: 'ticket-refused', user: `late ${index}` });
  books.tally({ ...REFUSED, user: 'name 7' });
  await books.flush();
  assert.ok(rows.length <= 10_002, `${rows.length} rows`);
  const counted = (kind: string) => rows.reduce((sum, row) => sum + (row.kind === kind ? row.times : 0), 0);
  assert.deepEqual([counted('login-refused'), counted('ticket-refused')], [10_051, 20]);
  assert.equal(rows.find(({ user }) => user === 'name 7')?.times, 2);
  for (const { from, reason } of rows.filter(({ user }) => user === undefined))
    assert.deepEqual([from, reason], [undefined, undefined]);
});

test('a failed write is reported once, rejects nothing, and is done by the next flush', async () => {
  const [one, other] = [heldAs(1), heldAs(2)];
  const { books, store, faults, events, uses } = await over(one, other);
  store.commits = false;
  books.tally(REFUSED);
  books.used(one, DUE + 5);
  books.used(other, DUE);
  await books.flush();
  assert.equal(faults.length, 1);
  assert.deepEqual(await uses(), [0, 0]);
  store.commits = true;
  books.tally(REFUSED);
  books.used(one, DUE + 1);
  books.used(other, DUE + 1);
  await books.flush();
  assert.deepEqual(await uses(), [DUE + 5, DUE + 1]);
  assert.deepEqual(
    (await events()).map(({ count }) => count),
    [2],
  );
  assert.equal(faults.length, 1);
});

test('a failed write is tried again after a second, and no sooner', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const { books, store, faults, uses, writes } = await over(heldAs(1));
  store.commits = false;
  books.used(heldAs(1), IDLE - 1);
  t.mock.timers.tick(1);
  await turn();
  assert.equal(writes(), 1);
  books.used(heldAs(1), IDLE - 1);
  t.mock.timers.tick(900);
  await turn();
  assert.equal(writes(), 1, 'a store that fails is not beset');
  t.mock.timers.tick(101);
  await turn();
  assert.equal(faults.length, 2);
  store.commits = true;
  t.mock.timers.tick(1_001);
  await turn();
  assert.deepEqual(await uses(), [IDLE - 1]);
  t.mock.timers.tick(60_000);
  await turn();
  assert.equal(writes(), 3);
});

test('what is noted during a flush is written after it, and not lost if the flush fails', async () => {
  const one = heldAs(1);
  const { books, store, faults, uses } = await over(one);
  books.used(one, DUE);
  cutNextWrite(store, () => {
    store.answers = false;
    books.used(one, DUE + 1);
    const waiting = [books.flush(), books.flush()];
    assert.equal(waiting[0], waiting[1], 'one alone waits for its turn');
  });
  await books.flush();
  store.answers = true;
  await books.flush();
  assert.ok(faults.length <= 2, `${faults.length} faults`);
  assert.deepEqual(await uses(), [DUE + 1]);
});

test('the last flush is not tried again', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const { books, store, faults, writes } = await over(heldAs(1));
  store.commits = false;
  books.used(heldAs(1), DUE);
  await books.close();
  t.mock.timers.tick(60_000);
  await turn();
  assert.deepEqual([writes(), faults.length], [1, 1]);
});

test('the last flush waits for the one in progress, and writes what that could not', async () => {
  const one = heldAs(1);
  const { books, store, faults, uses } = await over(one);
  books.used(one, DUE);
  cutNextWrite(store);
  void books.flush();
  await turn();
  await books.close();
  assert.equal(faults.length, 1);
  assert.deepEqual(await uses(), [DUE]);
});

test('an event that cannot be counted does not lose the use of a ticket', async () => {
  const one = heldAs(1);
  const { books, store, uses, faults } = await over(one);
  store.change = (unit) => withEvents(unit, { tally: () => Promise.reject(new Error('no room for events')) });
  books.tally(REFUSED);
  books.used(one, DUE);
  await books.flush();
  assert.deepEqual(await uses(), [DUE]);
  assert.equal(faults.length, 1);
});

test('counts are written once, however long uses cannot be written', async () => {
  const { books, store, events, uses } = await over(heldAs(1));
  store.change = (unit) =>
    withTickets(unit, { use: () => Promise.reject(new StoreUnavailable('no room for tickets')) });
  books.tally(REFUSED);
  books.used(heldAs(1), DUE);
  for (let times = 0; times < 3; times += 1) await books.flush();
  assert.deepEqual(
    (await events()).map(({ count }) => count),
    [1],
  );
  store.change = (unit) => unit;
  await books.flush();
  assert.deepEqual(await uses(), [DUE]);
  assert.deepEqual(
    (await events()).map(({ count }) => count),
    [1],
  );
});
