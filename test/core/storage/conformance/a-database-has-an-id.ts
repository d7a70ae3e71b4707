import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { MakeStore } from './samples.ts';

/** A database has an id of its own, which never changes. */
export function aDatabaseHasAnId(make: MakeStore): void {
  test('a database has an id of its own, which stays', async (t) => {
    const [one, other] = [await make(t), await make(t)];
    const id = await one.read(({ users }) => users.databaseId());
    assert.notEqual(id, '');
    assert.notEqual(await other.read(({ users }) => users.databaseId()), id);
    assert.equal(await one.write(({ users }) => users.databaseId()), id);
  });
}
