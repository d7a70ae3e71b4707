import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { AppPassword } from '../../../src/core/domain/app-password.ts';
import type { Store, WriteUnit } from '../../../src/core/storage/store.ts';
import type { Sweep } from '../../../src/core/storage/sweep.ts';
import { openMemory } from '../../engines/memory/open.ts';
import { addUser, anAppPassword, NOW } from './conformance/samples.ts';
import { sweeperOf } from './sweeping.ts';

/** Adds so many app passwords of ada: one that never ends, one that ends later, and the others expired. */
async function addExpired(store: Store, count: number): Promise<void> {
  const { id } = await addUser(store, 'ada');
  const ends = Array.from({ length: count }, (_, n) => [undefined, NOW + 1][n] ?? NOW - n);
  await store.write(async ({ appPasswords }) => {
    for (const [n, expiresAt] of ends.entries())
      await appPasswords.add(anAppPassword(n, id, `n${n}`, { expiresAt: n === 0 ? undefined : expiresAt }));
  });
}

/** The sweep of expired app passwords that removes each so. */
const removingBy = (remove: (unit: WriteUnit, expired: AppPassword) => Promise<boolean>): Sweep => ({
  async removals({ appPasswords }, now, limit) {
    const expired = await appPasswords.expired(now, limit);
    return expired.map((each) => (unit) => remove(unit, each));
  },
});

test('a started sweeper removes all app passwords that expired, while a walk takes long', async () => {
  const store = openMemory();
  await addExpired(store, 1_102);
  const released = Promise.withResolvers<never[]>();
  const slow: Store = {
    ...store,
    read: (work) =>
      store.read((unit) => work({ ...unit, tickets: { ...unit.tickets, page: () => released.promise } })),
  };
  const done = Promise.withResolvers<void>();
  const sweep = removingBy(async ({ appPasswords }, { userId, name }) => {
    const removed = await appPasswords.remove(userId, name);
    if (name === 'n2') done.resolve();
    return removed;
  });
  const sweeper = sweeperOf(slow, { sweeps: [sweep] });
  sweeper.start();
  await done.promise;
  released.resolve([]);
  await sweeper.stop();
  const left = await store.read((unit) => unit.appPasswords.ofUser(1));
  assert.deepEqual(
    left.map(({ name }) => name),
    ['n0', 'n1'],
  );
});

test('a sweeper that removes no expired app password reads them no further, and tells a fault', async () => {
  const store = openMemory();
  await addExpired(store, 702);
  const told = Promise.withResolvers<unknown>();
  const asked: string[] = [];
  const sweeper = sweeperOf(store, {
    sweeps: [
      removingBy(async (_, { name }) => {
        asked.push(name);
        if (name === 'n202') throw new Error('on purpose');
        return false;
      }),
    ],
    onFault: told.resolve,
  });
  sweeper.start();
  assert.match(String(await told.promise), /on purpose/);
  assert.equal(asked.length, 500);
  await sweeper.stop();
});
