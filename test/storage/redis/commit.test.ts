import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { type Appliance, Commit } from '../../../src/storage/redis/commit.ts';
import type { Words } from '../../../src/storage/redis/connection.ts';
import { Counters } from '../../../src/storage/redis/counters.ts';
import type { Servers } from '../../../src/storage/redis/servers.ts';
import { Staged } from '../../../src/storage/redis/staged.ts';
import { StoreUnavailable, type WriteUnit } from '../../../src/storage/store.ts';
import { aCounter, aKey } from '../conformance/samples.ts';

test('a unit one of whose counters is refused ends, and frees its locks, once the others are not written any more', async () => {
  const staged = new Staged();
  for (const key of ['refused', 'held up'].map(aKey))
    staged.counters.set(key, { counter: aCounter(), name: undefined });
  const heldUp = Promise.withResolvers<void>();
  const put = async (key: string) => {
    if (key === aKey('refused')) throw new StoreUnavailable('refused');
    return heldUp.promise;
  };
  const closing = new Commit(staged, { counters: { put } } as unknown as Appliance).close({} as WriteUnit);
  let isOver = false;
  const refused = assert.rejects(closing, /refused/).then(() => {
    isOver = true;
  });
  await turn();
  assert.equal(isOver, false);
  heldUp.resolve();
  await refused;
});

test('a counter that is refused is over once its indexes are not written any more', async () => {
  const heldUp = Promise.withResolvers<void>();
  const write = async (_slot: number, [command]: Words) => {
    if (command === 'SET') throw new StoreUnavailable('refused');
    return heldUp.promise;
  };
  const counters = new Counters({ write } as unknown as Servers, () => 0);
  let isOver = false;
  const refused = assert.rejects(
    counters.put(aKey('refused'), { counter: aCounter(), name: undefined }).finally(() => {
      isOver = true;
    }),
    /refused/,
  );
  await turn();
  assert.equal(isOver, false);
  heldUp.resolve();
  await refused;
});
