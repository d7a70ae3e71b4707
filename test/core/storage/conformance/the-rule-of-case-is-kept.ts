import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { MakeStore } from './samples.ts';

/** Whether names differ by case is unknown until it is set, and kept from then on. */
export function theRuleOfCaseIsKept(make: MakeStore): void {
  test('whether names differ by case is unknown until it is set, and read as said last', async (t) => {
    const store = await make(t);
    assert.equal(await store.read(({ users }) => users.namesCaseSensitive()), undefined);
    for (const sensitive of [false, true, false]) {
      await store.write(async ({ users }) => {
        await users.setNamesCaseSensitive(sensitive);
        assert.equal(await users.namesCaseSensitive(), sensitive);
      });
      assert.equal(await store.read(({ users }) => users.namesCaseSensitive()), sensitive);
    }
  });
}
