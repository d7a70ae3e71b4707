import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { User } from '../../../../src/core/domain/user.ts';
import type { Store } from '../../../../src/core/storage/store.ts';
import { addUser, type MakeStore } from './samples.ts';

const SORTED = ['10', '9', 'a', 'ab', 'b', 'z', 'ä', '漢', '\uff41', '\u{1f600}'];

async function addAll(store: Store): Promise<User[]> {
  for (const name of [...SORTED].reverse()) await addUser(store, name);
  return store.read((unit) => unit.users.list());
}

async function walk(store: Store, size: number): Promise<User[]> {
  const met: User[] = [];
  for (;;) {
    const page = await store.read((unit) => unit.users.page(met.at(-1), size));
    assert.ok(page.length <= size, `a page of ${page.length} where ${size} were asked for`);
    met.push(...page);
    if (page.length < size) return met;
  }
}

/** Users are sorted by key, and by the same order in every engine: that of code points. */
export function usersSortedByKey(make: MakeStore): void {
  test('users are listed by key, in the order of code points', async (t) => {
    const listed = await addAll(await make(t));
    assert.deepEqual(
      listed.map(({ key }) => key),
      SORTED,
    );
  });

  test('pages of any size meet every user once, in the order of the list', async (t) => {
    const store = await make(t);
    const listed = await addAll(store);
    for (const size of [1, 5, 7, 100]) assert.deepEqual(await walk(store, size), listed, `size ${size}`);
  });

  test('a page by number has the users by ascending ids, without the first ones', async (t) => {
    const store = await make(t);
    const byId = (await addAll(store)).toSorted((one, other) => one.id - other.id);
    const [gone] = byId.splice(2, 1);
    await store.write((unit) => unit.users.remove(gone?.id ?? 0));
    const page = (skipped: number, limit: number) =>
      store.read((unit) => unit.users.pageByNumber(skipped, limit));
    assert.deepEqual(await page(0, 100), byId);
    assert.deepEqual(await page(0, 3), byId.slice(0, 3));
    assert.deepEqual(await page(3, 4), byId.slice(3, 7));
    assert.deepEqual(await page(byId.length, 4), []);
    assert.deepEqual(await page(0, 0), []);
  });

  test('a page goes on after a user that was removed meanwhile', async (t) => {
    const store = await make(t);
    const [first, second, third] = await addAll(store);
    assert.ok(first && second && third);
    await store.write((unit) => unit.users.remove(second.id));
    assert.deepEqual(await store.read((unit) => unit.users.page(second, 1)), [third]);
    assert.deepEqual(await store.read((unit) => unit.users.page(first, 1)), [third]);
  });
}
