import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addUser, type MakeStore } from './samples.ts';

/** The list of users is sorted by key, and by the same order in every engine: that of code points. */
export function usersSortedByKey(make: MakeStore): void {
  test('users are listed by key, in the order of code points', async (t) => {
    const store = await make(t);
    const sorted = ['10', '9', 'a', 'ab', 'b', 'z', 'ä', '漢', '\uff41', '\u{1f600}'];
    for (const name of [...sorted].reverse()) await addUser(store, name);
    const listed = await store.read((unit) => unit.users.list());
    assert.deepEqual(
      listed.map(({ key }) => key),
      sorted,
    );
  });
}
