import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Store } from '../../../../src/core/storage/store.ts';
import { aCounter, aKey, counterOf, type MakeStore, NOW } from './samples.ts';

/**
 * Seven counters, put in no order: how long ago each failed last, and for how long it still makes somebody wait. What
 * failed last most recently has counted for longest.
 */
const COUNTERS: Record<string, { ago: number; wait: number }> = {
  'idle, young': { ago: 40, wait: 0 },
  'waits, younger': { ago: 50, wait: 1 },
  'waited until a moment ago': { ago: 70, wait: -1 },
  'waits, youngest': { ago: 30, wait: 500 },
  'idle, old': { ago: 80, wait: 0 },
  'waits long, oldest': { ago: 90, wait: 500 },
  'waited until now': { ago: 60, wait: 0 },
};

/** The order of eviction: counters that make nobody wait, then the others, oldest first. */
const ORDER = [
  'idle, old',
  'waited until a moment ago',
  'waited until now',
  'idle, young',
  'waits long, oldest',
  'waits, younger',
  'waits, youngest',
];

async function trimmed(store: Store, most: number): Promise<string[]> {
  await store.write(async ({ attempts }) => {
    for (const [name, { ago, wait }] of Object.entries(COUNTERS)) {
      const waitUntil = name.startsWith('idle') ? 0 : NOW + wait;
      const counter = aCounter({ since: NOW - 200 + ago, lastFailureAt: NOW - ago, waitUntil });
      await attempts.put(aKey(name), aKey(name), counter);
    }
    await attempts.trim(most, NOW);
  });
  const left = [];
  for (const name of ORDER) if (await store.read((unit) => counterOf(unit, aKey(name)))) left.push(name);
  return left;
}

/** A trim keeps at most a number of counters. It evicts the ones that make nobody wait first, then the others, oldest first. */
export function attemptsTrimOrder(make: MakeStore): void {
  for (const most of [0, 1, 3, 5, 7, 100]) {
    test(`a trim to ${most} evicts the ones that make nobody wait first, each time the oldest first`, async (t) => {
      const store = await make(t);
      assert.deepEqual(await trimmed(store, most), ORDER.slice(Math.max(0, ORDER.length - most)));
    });
  }
}
