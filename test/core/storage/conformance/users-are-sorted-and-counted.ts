import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { User } from '../../../../src/core/domain/user.ts';
import type { UserFilter, UserOrder } from '../../../../src/core/storage/people.ts';
import type { Store } from '../../../../src/core/storage/store.ts';
import { addUser, aUser, type MakeStore, NOW } from './samples.ts';

const ORDERS: readonly UserOrder[] = (['key', 'lastLoginAt'] as const).flatMap((by) =>
  [false, true].map((descending) => ({ by, descending })),
);
/** More users than a search sorts by itself. */
const MANY = 2_100;

/** The names of users, page by page. */
async function walk(store: Store, filter: UserFilter, order: UserOrder, size: number): Promise<string[]> {
  const met: User[] = [];
  for (;;) {
    const page = await store.read(({ users }) => users.search(filter, met.at(-1), size, order));
    met.push(...page);
    if (page.length < size) return met.map(({ name }) => name);
  }
}

async function aStoreOfFive(store: Store): Promise<void> {
  await addUser(store, 'b anna', { lastLoginAt: NOW, hasSecondFactor: true });
  await addUser(store, 'a anna', { lastLoginAt: NOW });
  await addUser(store, 'd anna', { lastLoginAt: 5, disabled: true });
  await addUser(store, '\u{1f600} anna');
  await addUser(store, '\uff41 anna', { hasSecondFactor: true });
}

/** Users are sorted by name or by their last login, in both directions, and counted up to a limit. */
export function usersAreSortedAndCounted(make: MakeStore): void {
  test('users are sorted by key or by last login, and pages of any size meet each once', async (t) => {
    const store = await make(t);
    await aStoreOfFive(store);
    const byKey = ['a anna', 'b anna', 'd anna', '\uff41 anna', '\u{1f600} anna'];
    const byLogin = ['\uff41 anna', '\u{1f600} anna', 'd anna', 'a anna', 'b anna'];
    for (const order of ORDERS) {
      const ascending = order.by === 'key' ? byKey : byLogin;
      const expected = order.descending ? ascending.toReversed() : ascending;
      for (const filter of [{}, { part: 'ANNA' }])
        for (const size of [1, 2, 100]) assert.deepEqual(await walk(store, filter, order, size), expected);
    }
  });

  test('a filter keeps users who never logged in, or have no second factor', async (t) => {
    const store = await make(t);
    await aStoreOfFive(store);
    const found = async (filter: UserFilter) =>
      (await store.read(({ users }) => users.search(filter, undefined, 100))).map(({ name }) => name[0]);
    assert.deepEqual(await found({ neverLoggedIn: true }), ['\uff41', '\ud83d']);
    assert.deepEqual(await found({ withoutSecondFactor: true }), ['a', 'd', '\ud83d']);
    assert.deepEqual(await found({ withoutSecondFactor: true, neverLoggedIn: true, part: 'ann' }), [
      '\ud83d',
    ]);
    assert.deepEqual(await found({ withoutSecondFactor: true, disabled: true }), ['d']);
    const [user] = await store.read(({ users }) => users.search({ prefix: '\uff41' }, undefined, 1));
    await store.write(({ users }) => users.change(user?.id ?? 0, { lastLoginAt: NOW }));
    assert.deepEqual(await found({ neverLoggedIn: true }), ['\ud83d']);
  });

  test('users who pass a filter are counted up to a limit', async (t) => {
    const store = await make(t);
    await aStoreOfFive(store);
    const count = (most: number, filter: UserFilter) =>
      store.read(({ users }) => users.countUpTo(most, filter));
    assert.equal(await count(100, {}), 5);
    assert.equal(await count(4, {}), 4);
    assert.equal(await count(100, { withoutSecondFactor: true }), 3);
    assert.equal(await count(100, { part: 'anna' }), 5);
    assert.equal(await count(2, { part: 'anna' }), 2);
    assert.equal(await count(100, { part: 'anna', neverLoggedIn: true }), 2);
    assert.equal(await count(1, { part: 'anna', neverLoggedIn: true }), 1);
    assert.equal(await count(100, { prefix: 'x' }), 0);
  });

  test('a part that many users have is found in each order, too', async (t) => {
    const store = await make(t);
    await store.write(async ({ users }) => {
      for (let number = 0; number < MANY; number += 1)
        await users.add(aUser(`hay ${String(number).padStart(4, '0')}`, { lastLoginAt: MANY - number }));
    });
    const first = (order: UserOrder, filter: UserFilter = { part: 'hay' }) =>
      store.read(async ({ users }) =>
        (await users.search(filter, undefined, 2, order)).map(({ name }) => name),
      );
    assert.deepEqual(await first({ by: 'key', descending: true }), ['hay 2099', 'hay 2098']);
    assert.deepEqual(await first({ by: 'lastLoginAt', descending: true }), ['hay 0000', 'hay 0001']);
    const never = { part: 'hay', neverLoggedIn: true };
    assert.deepEqual(await first({ by: 'lastLoginAt', descending: false }, never), []);
    assert.equal(await store.read(({ users }) => users.countUpTo(10_000, { part: 'hay' })), MANY);
  });
}
