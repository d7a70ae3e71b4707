import assert from 'node:assert/strict';
import { test } from 'node:test';
import { newGroup } from '../../../../src/core/domain/group.ts';
import type { WriteUnit } from '../../../../src/core/storage/store.ts';
import { aUser, type MakeStore } from './samples.ts';

/** A unit that locks the users or the groups changes them alone until it ends. */
export function aLockedSetWaits(make: MakeStore): void {
  for (const [set, change] of [
    ['users', (unit: WriteUnit) => unit.users.add(aUser('ada'))],
    ['groups', (unit: WriteUnit) => unit.groups.add(newGroup('staff'))],
  ] as const)
    test(`while a unit locks the ${set}, another one that adds to them waits for its end`, async (t) => {
      const store = await make(t);
      const { promise: locked, resolve: lock } = Promise.withResolvers<void>();
      const ended: string[] = [];
      const first = store.write(async (unit) => {
        await unit.lock(set);
        lock();
        for (let reads = 0; reads < 50; reads += 1) await unit.clients.list();
        ended.push('locking');
      });
      await locked;
      await store.write(async (unit) => {
        await change(unit);
        ended.push('adding');
      });
      await first;
      assert.deepEqual(ended, ['locking', 'adding']);
    });
}
