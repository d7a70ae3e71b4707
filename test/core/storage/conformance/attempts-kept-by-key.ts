import assert from 'node:assert/strict';
import { test } from 'node:test';
import { aCounter, aKey, counterOf, type MakeStore, NOW } from './samples.ts';

/** A counter is kept under its key: `put` replaces it, `remove` removes it alone, and the counters of a name go together. */
export function attemptsKeptByKey(make: MakeStore): void {
  test('a counter comes back as it was put, and the last put holds', async (t) => {
    const store = await make(t);
    const first = aCounter({ failures: 3, since: NOW - 9, lastFailureAt: NOW - 1, waitUntil: NOW + 9 });
    await store.write((unit) => unit.attempts.put(aKey('a'), aKey('name'), first));
    assert.deepEqual(await store.read((unit) => counterOf(unit, aKey('a'))), first);
    const second = aCounter({ failures: 4 });
    await store.write((unit) => unit.attempts.put(aKey('a'), aKey('name'), second));
    assert.deepEqual(await store.read((unit) => counterOf(unit, aKey('a'))), second);
    assert.equal(await store.read((unit) => counterOf(unit, aKey('b'))), undefined);
  });

  test('removing a counter removes no other', async (t) => {
    const store = await make(t);
    await store.write(async ({ attempts }) => {
      await attempts.put(aKey('a'), aKey('name'), aCounter());
      await attempts.put(aKey('b'), aKey('name'), aCounter());
      await attempts.remove(aKey('a'));
    });
    assert.equal(await store.read((unit) => counterOf(unit, aKey('a'))), undefined);
    assert.deepEqual(await store.read((unit) => counterOf(unit, aKey('b'))), aCounter());
  });
}
