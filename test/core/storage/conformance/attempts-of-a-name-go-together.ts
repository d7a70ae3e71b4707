import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Store } from '../../../../src/core/storage/store.ts';
import { aCounter, aKey, counterOf, type MakeStore } from './samples.ts';

async function kept(store: Store, ...keys: string[]): Promise<string[]> {
  const there = [];
  for (const key of keys) if (await store.read((unit) => counterOf(unit, aKey(key)))) there.push(key);
  return there;
}

/** All counters of a name are removed with one call; those of other names and of none stay. */
export function attemptsOfANameGoTogether(make: MakeStore): void {
  test('every counter of a name is removed, and no other', async (t) => {
    const store = await make(t);
    await store.write(async ({ attempts }) => {
      await attempts.put(aKey('ada'), aKey('ada'), aCounter());
      await attempts.put(aKey('ada at home'), aKey('ada'), aCounter());
      await attempts.put(aKey('ben at home'), aKey('ben'), aCounter());
      await attempts.put(aKey('home'), undefined, aCounter());
      for (const name of ['ada', 'home']) await attempts.removeOfName(aKey(name));
    });
    assert.deepEqual(await kept(store, 'ada', 'ada at home', 'ben at home', 'home'), ['ben at home', 'home']);
  });

  test('a counter belongs to the name of its last put', async (t) => {
    const store = await make(t);
    await store.write(async ({ attempts }) => {
      await attempts.put(aKey('a'), aKey('ada'), aCounter());
      await attempts.put(aKey('a'), aKey('ben'), aCounter());
      await attempts.removeOfName(aKey('ada'));
    });
    assert.deepEqual(await kept(store, 'a'), ['a']);
    await store.write((unit) => unit.attempts.removeOfName(aKey('ben')));
    assert.deepEqual(await kept(store, 'a'), []);
  });
}
