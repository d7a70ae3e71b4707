import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import type { PostgresStore } from '../../../src/engines/postgres/open.ts';
import {
  aCounter,
  aDigest,
  addUser,
  aKey,
  aTicket,
  aTry,
  aUser,
  counterOf,
  issue,
  NOW,
} from '../../core/storage/conformance/samples.ts';
import { type Postgres, testsOnOwnPostgres } from '../../service/postgres.ts';
import { eventually } from '../../service/until.ts';
import { openUntilEnd } from './opened.ts';

const test = await testsOnOwnPostgres('deadlock_timeout = 10s');

async function two(t: TestContext, server: Postgres): Promise<[PostgresStore, PostgresStore]> {
  const url = await server.freshSchema();
  return [await openUntilEnd(t, url), await openUntilEnd(t, url)];
}

/** Waits until a unit waits for the lock of another one. */
function untilOneWaits(server: Postgres): Promise<void> {
  return eventually(async () => {
    const [row] = await server.ask('SELECT count(*)::int AS waiting FROM pg_locks WHERE NOT granted');
    assert.equal(row?.waiting, 1);
  });
}

test('no failure is lost that instances count at the same time, be it the first of its name', async (t, server) => {
  const stores = await two(t, server);
  const count = (store: PostgresStore) =>
    store.write(async (unit) => {
      const counter = await counterOf(unit, aKey('ada'));
      const failures = (counter?.failures ?? 0) + 1;
      await unit.attempts.put(aKey('ada'), aKey('ada'), aCounter({ failures }));
    });
  await Promise.all(stores.flatMap((store) => Array.from({ length: 20 }, () => count(store))));
  assert.equal((await stores[0].read((unit) => counterOf(unit, aKey('ada'))))?.failures, 40);
});

test('a change of the user that a throttle state shows is not lost beside another one', async (t, server) => {
  const stores = await two(t, server);
  await addUser(stores[0], 'ada');
  const raise = (store: PostgresStore, number: number) =>
    store.write(async ({ attempts, users }) => {
      const { keys, address } = aTry(`try ${number}`, `192.0.2.${number}`);
      const { user } = await attempts.throttleState({ userKey: 'ada', address, keys });
      await users.change(user?.id as number, { generation: (user?.generation ?? 0) + 1 });
    });
  await Promise.all(
    stores.flatMap((store, at) => Array.from({ length: 10 }, (_, number) => raise(store, 10 * at + number))),
  );
  assert.equal((await stores[0].read((unit) => unit.users.findByKey('ada')))?.generation, 20);
});

test('a throttle state that has waited for its counters shows nobody who was added meanwhile', async (t, server) => {
  const [one, other] = await two(t, server);
  const [holds, end] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const asked = aTry('ada');
  const holding = other.write(async (unit) => {
    await counterOf(unit, asked.keys.address);
    holds.resolve();
    await end.promise;
  });
  await holds.promise;
  const found = one.write(async ({ attempts }) => attempts.throttleState(asked));
  await untilOneWaits(server);
  await addUser(other, 'ada');
  end.resolve();
  await holding;
  assert.equal((await found).user, undefined);
});

test('a user who is removed leaves no familiar address behind', async (t, server) => {
  const url = await server.freshSchema();
  const store = await openUntilEnd(t, url);
  const { id } = await addUser(store, 'ada');
  await store.write((unit) => unit.attempts.setFamiliar(id, '192.0.2.1', NOW));
  await store.write((unit) => unit.users.remove(id));
  assert.deepEqual(await server.ask('SELECT user_id FROM familiar_addresses', url), []);
});

test('a revocation by name is not lost beside another one', async (t, server) => {
  const stores = await two(t, server);
  await addUser(stores[0], 'ada');
  const revoke = (store: PostgresStore) =>
    store.write(async ({ users }) => {
      const user = await users.findByKey('ada');
      await users.change(user?.id as number, { generation: (user?.generation ?? 0) + 1 });
    });
  await Promise.all(stores.flatMap((store) => Array.from({ length: 10 }, () => revoke(store))));
  assert.equal((await stores[0].read((unit) => unit.users.findByKey('ada')))?.generation, 20);
});

test('of instances that make the first user together, one makes it', async (t, server) => {
  const stores = await two(t, server);
  const makeFirst = (store: PostgresStore, name: string) =>
    store.write(async ({ users }) => ((await users.count()) > 0 ? undefined : users.add(aUser(name))));
  const made = await Promise.all(
    stores.flatMap((store) => ['ada', 'ben'].map((name) => makeFirst(store, name))),
  );
  assert.equal(made.filter((user) => user !== undefined).length, 1);
  assert.equal(await stores[1].read((unit) => unit.users.count()), 1);
});

test('whether a user was removed is told after a removal that is under way, so that it is not added again', async (t, server) => {
  const [one, other] = await two(t, server);
  const [holds, end] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const ben = await addUser(one, 'ben');
  const removing = other.write(async ({ users }) => {
    await users.remove(ben.id);
    assert.equal(await users.wasRemoved('ben'), true);
    holds.resolve();
    await end.promise;
  });
  await holds.promise;
  const added = one.write(async ({ users }) =>
    (await users.wasRemoved('ben')) ? undefined : users.add(aUser('ben')),
  );
  await untilOneWaits(server);
  end.resolve();
  await removing;
  assert.equal(await added, undefined);
  assert.equal(await one.read((unit) => unit.users.findByKey('ben')), undefined);
});

test('nodes that are moved by two instances at once never lie in themselves', async (t, server) => {
  const stores = await two(t, server);
  const node = (id: string, parent?: string) => ({ store: 's://s', id, type: 'cm:folder', name: id, parent });
  await stores[0].write(async ({ nodes }) => {
    for (const each of [node('top'), node('a', 'top'), node('b', 'top')]) await nodes.put(each);
  });
  const moveBelow = (store: PostgresStore, id: string, target: string) =>
    store.write(async ({ nodes }) => {
      if ((await nodes.find('s://s', target))?.parent === id) return;
      await nodes.put(node(id, target));
    });
  await Promise.all([moveBelow(stores[0], 'a', 'b'), moveBelow(stores[1], 'b', 'a')]);
  const parents = await stores[0].read(async ({ nodes }) => [
    (await nodes.find('s://s', 'a'))?.parent,
    (await nodes.find('s://s', 'b'))?.parent,
  ]);
  assert.ok(parents.includes('top'), `a and b lie in ${parents}`);
});

test('uses and counts that two instances write in opposite orders do not deadlock', async (t, server) => {
  const stores = await two(t, server);
  const ada = await addUser(stores[0], 'ada');
  const numbers = Array.from({ length: 300 }, (_, n) => n);
  await issue(stores[0], ...numbers.map((n) => aTicket(n, ada)));
  const flush = (store: PostgresStore, order: readonly number[], at: number) =>
    store.write(async ({ tickets, events }) => {
      for (const n of order) await tickets.use(aDigest(n), at);
      for (const n of order) await events.tally({ at: NOW, kind: 'ticket-refused', user: `user ${n}` }, 1);
    });
  for (const round of [1, 2, 3]) {
    await Promise.all([
      flush(stores[0], numbers, NOW + round),
      flush(stores[1], numbers.toReversed(), NOW + 10 - round),
    ]);
  }
  const used = await stores[0].read((unit) => unit.tickets.listOf(ada.id));
  assert.deepEqual(new Set(used.map(({ usedAt }) => usedAt - NOW)), new Set([9]));
  const counted = await stores[0].read((unit) => unit.events.list({}));
  assert.deepEqual(new Set(counted.map(({ count }) => count)), new Set([6]));
  assert.equal(counted.length, 300);
});

test('instances agree on the time, whatever their own clocks say', async (t, server) => {
  const { now } = performance;
  t.mock.method(performance, 'now', () => now.call(performance) + 3_600_000);
  const [one, other] = await two(t, server);
  const told = async () => {
    const [row] = await server.ask('SELECT extract(epoch FROM clock_timestamp())::float8 * 1000 AS now');
    return Number(row?.now);
  };
  const before = await told();
  const clocks = [one.clock(), other.clock()];
  const after = await told();
  for (const clock of clocks) {
    assert.ok(Number.isSafeInteger(clock));
    assert.ok(clock > before - 1_000 && clock < after + 1_000);
  }
});
