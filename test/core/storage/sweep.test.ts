import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FAMILIAR_FOR } from '../../../src/core/domain/lockout.ts';
import { type Digest, shortDigest } from '../../../src/core/domain/ticket.ts';
import { UNTIL_UNLOCKED } from '../../../src/core/domain/user.ts';
import { type Store, StoreUnavailable } from '../../../src/core/storage/store.ts';
import { PARENT_CHECK } from '../../../src/core/storage/sweep.ts';
import { openMemory } from '../../engines/memory/open.ts';
import {
  aDigest,
  addUser,
  append,
  aTicket,
  contents,
  familiarSince,
  issue,
  NOW,
} from './conformance/samples.ts';
import { KEEP, LIFETIME, spoilt, stayAwake, sweeperOf } from './sweeping.ts';

const isKept = async (store: Store, n: number) =>
  (await store.read((unit) => unit.tickets.find(aDigest(n)))) !== undefined;
const events = (store: Store) => store.read((unit) => unit.events.list({}));

test('expired tickets go, each with one event that names its user and digest', async () => {
  const store = openMemory();
  const ada = await addUser(store, 'Ada');
  await issue(
    store,
    aTicket(1, ada, { issuedAt: NOW - LIFETIME.idle, usedAt: NOW - LIFETIME.idle }),
    aTicket(2, ada, { issuedAt: NOW - LIFETIME.age, usedAt: NOW - 1 }),
    aTicket(3, ada, { issuedAt: NOW - LIFETIME.age + 1, usedAt: NOW - LIFETIME.idle + 1 }),
  );
  const sweeper = sweeperOf(store);
  await sweeper.walk();
  await sweeper.walk();
  assert.deepEqual(
    [await isKept(store, 1), await isKept(store, 2), await isKept(store, 3)],
    [false, false, true],
  );
  const told = await events(store);
  assert.deepEqual(
    new Set(told.map(({ at, kind, user, digest }) => ({ at, kind, user, digest }))),
    new Set([1, 2].map((n) => ({ at: NOW, kind: 'expiry', user: 'Ada', digest: shortDigest(aDigest(n)) }))),
  );
  assert.equal(told.length, 2);
});

test('what a ticket ends with is forgotten once the ticket is gone, and looked at again a day later', async () => {
  const store = openMemory();
  const ada = await addUser(store, 'Ada');
  await issue(store, aTicket(1, ada));
  await store.write(async ({ ticketParents }) => {
    for (const n of [1, 2]) await ticketParents.put(aDigest(n), aDigest(9), NOW - n);
  });
  await sweeperOf(store).walk();
  const [left, due] = await store.read(({ ticketParents }) =>
    Promise.all([ticketParents.childrenOf(aDigest(9)), ticketParents.due(NOW + PARENT_CHECK, 9)]),
  );
  assert.deepEqual([left, due], [[aDigest(1)], []]);
});

test('dead tickets are ended a few at a time, so that writers get in between', async () => {
  const store = openMemory();
  const ada = await addUser(store, 'ada');
  const old = { issuedAt: NOW - LIFETIME.age, usedAt: NOW - LIFETIME.age };
  for (let n = 1; n <= 60; n += 1) await issue(store, aTicket(n, ada, old));
  const endedByUnit: number[] = [];
  const counting: Store = {
    ...store,
    write: (work) =>
      store.write((unit) => {
        const at = endedByUnit.push(0) - 1;
        const end = (digest: Digest) => {
          endedByUnit[at] = (endedByUnit[at] as number) + 1;
          return unit.tickets.end(digest);
        };
        return work({ ...unit, tickets: { ...unit.tickets, end } });
      }),
  };
  await sweeperOf(counting).walk();
  assert.deepEqual(
    endedByUnit.filter((ended) => ended > 0),
    [25, 25, 10],
  );
});

test('tickets of an older generation or of no user go without an event', async () => {
  const store = openMemory();
  const [ada, ben, eve] = [
    await addUser(store, 'ada'),
    await addUser(store, 'ben'),
    await addUser(store, 'eve'),
  ];
  const old = { issuedAt: NOW - 2 * LIFETIME.age, usedAt: NOW - 2 * LIFETIME.age };
  await issue(
    store,
    aTicket(1, ada),
    aTicket(2, ada, old),
    aTicket(3, ben),
    aTicket(4, ben, old),
    aTicket(5, eve),
  );
  await store.write(async ({ users, tickets }) => {
    await users.change(ada.id, { generation: 1 });
    await users.remove(ben.id);
    await tickets.issue(aTicket(6, { id: ada.id, generation: 1 }));
  });
  await sweeperOf(store).walk();
  assert.deepEqual(
    (await store.read((unit) => unit.tickets.page(undefined, 10))).map(({ ticket }) => ticket.userId).sort(),
    [ada.id, eve.id],
  );
  assert.deepEqual(await events(store), []);
});

test('one raise of the server’s generation lets every older ticket go, without an event', async () => {
  const store = openMemory();
  const ada = await addUser(store, 'ada');
  await issue(store, aTicket(1, ada), aTicket(2, ada));
  const generation = await store.write((unit) => unit.tickets.raiseServerGeneration());
  await issue(store, aTicket(3, ada, { serverGeneration: generation }));
  const sweeper = sweeperOf(store);
  await sweeper.walk();
  assert.deepEqual(await contents(store), { users: 1, tickets: 1, events: 0 });
  assert.equal(sweeper.liveTickets, 1);
});

test('suspended tickets stay and are not counted as live, and go once they expire', async () => {
  const store = openMemory();
  const [byHand, byFailures] = [
    await addUser(store, 'by hand', { lockedUntil: UNTIL_UNLOCKED }),
    await addUser(store, 'by failures', { lockedUntil: NOW + 1 }),
  ];
  const users = [byHand, byFailures, await addUser(store, 'unlocked', { lockedUntil: NOW })];
  await issue(store, ...users.map((user, n) => aTicket(n, user)));
  let now = NOW;
  const sweeper = sweeperOf(store, { clock: () => now });
  await sweeper.walk();
  assert.equal((await contents(store)).tickets, 3);
  assert.equal(sweeper.liveTickets, 1);
  now += LIFETIME.idle;
  await sweeper.walk();
  assert.deepEqual(await contents(store), { users: 3, tickets: 0, events: 3 });
});

test('the tickets of a disabled user go, without an event', async () => {
  const store = openMemory();
  await issue(store, aTicket(1, await addUser(store, 'off', { disabled: true })));
  await sweeperOf(store).walk();
  assert.deepEqual(await contents(store), { users: 1, tickets: 0, events: 0 });
});

test('live tickets are counted over all pages, and the count follows each whole walk', async (t) => {
  stayAwake(t);
  const store = openMemory();
  const ada = await addUser(store, 'ada');
  const old = { issuedAt: NOW - LIFETIME.idle, usedAt: NOW - LIFETIME.idle };
  const tickets = Array.from({ length: 1_200 }, (_, n) => aTicket(n, ada, n % 4 === 0 ? old : {}));
  await issue(store, ...tickets);
  const sweeper = sweeperOf(store);
  assert.equal(sweeper.liveTickets, 0);
  await sweeper.walk();
  assert.equal(sweeper.liveTickets, 900);
  assert.equal((await events(store)).length, 300);
  await store.write((unit) => unit.tickets.end(aDigest(1)));
  await sweeper.walk();
  assert.equal(sweeper.liveTickets, 899);
});

test('lifetimes that are off let no ticket expire', async () => {
  const store = openMemory();
  const ada = await addUser(store, 'ada');
  await issue(store, aTicket(1, ada, { issuedAt: 0, usedAt: 0 }));
  const never = { idle: Number.POSITIVE_INFINITY, age: Number.POSITIVE_INFINITY };
  const sweeper = sweeperOf(store, { lifetime: never });
  await sweeper.walk();
  assert.equal(sweeper.liveTickets, 1);
});

test('a ticket whose use is written during the sweep stays', async () => {
  const store = openMemory();
  const ada = await addUser(store, 'ada');
  await issue(store, aTicket(1, ada, { issuedAt: NOW - LIFETIME.idle, usedAt: NOW - LIFETIME.idle }));
  let used: Promise<void> | undefined;
  const clock = () => {
    used ??= store.write((unit) => unit.tickets.use(aDigest(1), NOW - 1));
    return NOW;
  };
  await sweeperOf(store, { clock }).walk();
  await used;
  assert.equal(await isKept(store, 1), true);
  assert.deepEqual(await events(store), []);
});

test('events older than they are kept for go, however many, and the others stay', async (t) => {
  stayAwake(t);
  const store = openMemory();
  const login = (at: number) => ({ at, kind: 'login' }) as const;
  const old = Array.from({ length: 1_100 }, (_, n) => login(NOW - KEEP - 1 - n));
  await append(store, ...old, login(NOW - KEEP), login(NOW));
  await sweeperOf(store).walk();
  assert.deepEqual(
    (await events(store)).map(({ at }) => at),
    [NOW - KEEP, NOW],
  );
});

test('addresses are forgotten once they are no longer familiar', async () => {
  const store = openMemory();
  const { id } = await addUser(store, 'ada');
  await store.write(async ({ attempts }) => {
    await attempts.setFamiliar(id, '192.0.2.1', NOW - FAMILIAR_FOR - 1);
    await attempts.setFamiliar(id, '192.0.2.2', NOW - FAMILIAR_FOR + 1);
  });
  await sweeperOf(store).walk();
  await store.read(async (unit) => {
    assert.equal(await familiarSince(unit, 'ada', '192.0.2.1'), undefined);
    assert.equal(await familiarSince(unit, 'ada', '192.0.2.2'), NOW - FAMILIAR_FOR + 1);
  });
});

test('a fault of the sweep is reported, and keeps nothing else from being swept', async () => {
  const store = openMemory();
  const fault = new Error('on purpose');
  const fail = () => Promise.reject(fault);
  await append(store, { at: 0, kind: 'login' });
  const told: unknown[] = [];
  const without = spoilt(store, ({ attempts }) => ({ attempts: { ...attempts, sweepFamiliar: fail } }));
  const noPages: Store = {
    ...without,
    read: (work) => store.read((unit) => work({ ...unit, tickets: { ...unit.tickets, page: fail } })),
  };
  await sweeperOf(noPages, { onFault: (each) => told.push(each) }).walk();
  assert.deepEqual(told, [fault, fault]);
  assert.deepEqual(await events(store), []);
});

test('a started sweeper walks, tells a fault, and stops when it is asked to', async () => {
  const store = openMemory();
  await store.close();
  const told = Promise.withResolvers<unknown>();
  const sweeper = sweeperOf(store, { onFault: told.resolve });
  sweeper.start();
  assert.ok((await told.promise) instanceof StoreUnavailable);
  await sweeper.stop();
});

test('a sweeper stopped in the middle of a walk ends without a fault', async (t) => {
  stayAwake(t);
  const store = openMemory();
  const ada = await addUser(store, 'ada');
  await issue(store, ...Array.from({ length: 1_200 }, (_, n) => aTicket(n, ada)));
  const walking = Promise.withResolvers<void>();
  const clock = () => {
    walking.resolve();
    return NOW;
  };
  const sweeper = sweeperOf(store, { clock });
  sweeper.start();
  await walking.promise;
  await sweeper.stop();
  assert.equal(sweeper.liveTickets, 0);
});

test('a ticket that was ended elsewhere in the meantime makes no event', async () => {
  const store = openMemory();
  const ada = await addUser(store, 'ada');
  await issue(store, aTicket(1, ada, { issuedAt: NOW - LIFETIME.idle, usedAt: NOW - LIFETIME.idle }));
  await sweeperOf(
    spoilt(store, ({ tickets }) => ({ tickets: { ...tickets, end: async () => false } })),
  ).walk();
  assert.deepEqual(await events(store), []);
});

test('a sweeper that is stopped begins no other part of its walk', async () => {
  const store = openMemory();
  await append(store, { at: NOW - KEEP - 1, kind: 'login' });
  const sweeper = sweeperOf({
    ...store,
    read: (work) => {
      void sweeper.stop();
      return store.read(work);
    },
  });
  await sweeper.walk();
  assert.equal((await events(store)).length, 1);
});

test('a sweeper that is stopped while it is behind reads no other page', async () => {
  const store = openMemory();
  const ada = await addUser(store, 'ada');
  const expired = { issuedAt: NOW - LIFETIME.age, usedAt: NOW - LIFETIME.age };
  await issue(store, ...Array.from({ length: 600 }, (_, n) => aTicket(n, ada, expired)));
  const sweeper = sweeperOf({
    ...store,
    write: (work) => {
      void sweeper.stop();
      return store.write(work);
    },
  });
  await sweeper.walk();
  assert.equal((await events(store)).length, 500);
});
