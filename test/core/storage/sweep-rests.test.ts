import assert from 'node:assert/strict';
import { syncBuiltinESMExports } from 'node:module';
import { type TestContext, test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import type { Store } from '../../../src/core/storage/store.ts';
import { openMemory } from '../../engines/memory/open.ts';
import { PATIENCE } from '../../service/patience.ts';
import { aDigest, addUser, aTicket, issue, NOW } from './conformance/samples.ts';
import { LIFETIME, spoilt, stayAwake, sweeperOf } from './sweeping.ts';

/** A store with 1,100 familiar addresses that are out of date; `onSwept` is called for each batch. */
async function withOldAddresses(onSwept: (some: number) => void): Promise<Store> {
  const store = openMemory();
  const { id } = await addUser(store, 'ada');
  await store.write(async ({ attempts }) => {
    for (let n = 0; n < 1_100; n += 1) await attempts.setFamiliar(id, `a${n}`, 0);
  });
  return spoilt(store, ({ attempts }) => ({
    attempts: {
      ...attempts,
      async sweepFamiliar(at, limit) {
        const some = await attempts.sweepFamiliar(at, limit);
        onSwept(some);
        return some;
      },
    },
  }));
}

test('addresses that are no longer familiar are removed in batches', async (t) => {
  stayAwake(t);
  const swept: number[] = [];
  await sweeperOf(await withOldAddresses((some) => swept.push(some))).walk();
  assert.deepEqual(swept, [500, 500, 100]);
});

test('a sweeper that is stopped removes no more addresses', async (t) => {
  stayAwake(t);
  const swept: number[] = [];
  const store = await withOldAddresses((some) => {
    swept.push(some);
    void sweeper.stop();
  });
  const sweeper = sweeperOf(store);
  await sweeper.walk();
  assert.deepEqual(swept, [500]);
});

test('after a batch during which the process stood still the pause is short', {
  timeout: PATIENCE,
}, async (t) => {
  stayAwake(t);
  const store = openMemory();
  const ada = await addUser(store, 'Ada');
  await issue(store, ...Array.from({ length: 501 }, (_, n) => aTicket(n, ada)));
  const { now } = performance;
  let later = 0;
  t.mock.method(performance, 'now', () => now.call(performance) + later);
  const still: Store = {
    ...store,
    read: (work) => {
      later += 3_600_000;
      return store.read(work);
    },
  };
  const sweeper = sweeperOf(still);
  await sweeper.walk();
  assert.equal(sweeper.liveTickets, 501);
});

/** Makes time pass for pauses only when the test says so. */
function stopPauses(t: TestContext): void {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  syncBuiltinESMExports();
  t.after(() => {
    t.mock.timers.reset();
    syncBuiltinESMExports();
  });
}

test('a batch of tickets is followed by a pause of a hundred times its own time', async (t) => {
  stopPauses(t);
  const store = openMemory();
  const ada = await addUser(store, 'ada');
  await issue(store, ...Array.from({ length: 501 }, (_, n) => aTicket(n, ada)));
  let now = 0;
  t.mock.method(performance, 'now', () => now);
  let reads = 0;
  const sweeper = sweeperOf({
    ...store,
    read: (work) => {
      reads += 1;
      now += 2;
      return store.read(work);
    },
  });
  const goOn = async (milliseconds: number) => {
    t.mock.timers.tick(milliseconds);
    for (let turns = 0; turns < 10; turns += 1) await turn();
  };
  void sweeper.walk();
  await goOn(0);
  const batch = reads;
  await goOn(100 * 2 * batch - 1);
  assert.equal(reads, batch);
  await goOn(1);
  assert.equal(sweeper.liveTickets, 501);
});

for (const dead of [249, 250])
  test(`behind a page with ${dead} dead tickets the sweeper ${dead < 250 ? 'rests' : 'goes on at once'}`, async (t) => {
    stopPauses(t);
    const store = openMemory();
    const ada = await addUser(store, 'ada');
    const expired = { issuedAt: NOW - LIFETIME.age, usedAt: NOW - LIFETIME.age };
    // Pages are in the order of digests.
    const numbers = Array.from({ length: 600 }, (_, n) => n);
    const ordered = numbers.sort((a, b) => (aDigest(a) < aDigest(b) ? -1 : 1));
    await issue(store, ...ordered.map((n, at) => aTicket(n, ada, at < dead ? expired : {})));
    const sweeper = sweeperOf(store);
    void sweeper.walk();
    for (let turns = 0; turns < 100; turns += 1) await turn();
    assert.equal(sweeper.liveTickets, dead < 250 ? 0 : 600 - dead);
    await sweeper.stop();
  });

test('a full batch of old rows is followed by no pause', async (t) => {
  stopPauses(t);
  const swept: number[] = [];
  void sweeperOf(await withOldAddresses((some) => swept.push(some))).walk();
  for (let turns = 0; turns < 100; turns += 1) await turn();
  assert.deepEqual(swept, [500, 500, 100]);
});

test('a started sweeper walks again 15 seconds after each walk', async (t) => {
  stopPauses(t);
  const store = openMemory();
  const ada = await addUser(store, 'ada');
  const sweeper = sweeperOf(store);
  sweeper.start();
  await turn();
  for (const n of [1, 2, 3]) {
    await issue(store, aTicket(n, ada));
    t.mock.timers.tick(14_999);
    await turn();
    assert.equal(sweeper.liveTickets, n - 1);
    t.mock.timers.tick(1);
    await turn();
    assert.equal(sweeper.liveTickets, n);
  }
  await sweeper.stop();
});
