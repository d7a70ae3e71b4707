import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { MakeStore } from './samples.ts';

/** A freed name is kept with who had it, also when that user is gone, until it is swept. */
export function freedNamesAreKept(make: MakeStore): void {
  test('a freed name is found by its key, replaced by a later one, and swept once it is free', async (t) => {
    const store = await make(t);
    const anna = { key: 'anna', userId: 7, externalId: 'x-\u{1f600}', freeAt: 1_000 };
    const ben = { key: 'ben', userId: 8, externalId: undefined, freeAt: 2_000 };
    const find = (key: string) => store.read(({ freedNames }) => freedNames.find(key));
    await store.write(async ({ freedNames }) => {
      await freedNames.put({ ...anna, userId: 1, externalId: undefined });
      await freedNames.put(anna);
      await freedNames.put(ben);
      assert.deepEqual(await freedNames.find('anna'), anna);
    });
    assert.deepEqual([await find('anna'), await find('ben'), await find('Ben')], [anna, ben, undefined]);
    const sweep = (before: number, limit: number) =>
      store.write(({ freedNames }) => freedNames.sweep(before, limit));
    assert.equal(await sweep(1_000, 10), 0);
    assert.equal(await sweep(9_000, 1), 1);
    assert.deepEqual([await find('anna'), await find('ben')], [undefined, ben]);
    assert.equal(await sweep(2_001, 10), 1);
    assert.equal(await find('ben'), undefined);
  });
}
