import assert from 'node:assert/strict';
import { test } from 'node:test';
import { lookalikeKey } from '../../../../src/core/domain/user.ts';
import { addUser, aUser, type MakeStore } from './samples.ts';

/** Users are found by a name that looks like theirs. */
export function usersAreFoundByLookalikes(make: MakeStore): void {
  test('users are found by the form of a name in which those that look alike are the same', async (t) => {
    const store = await make(t);
    for (const name of ['anna', 'ｂｅｎ', 'straße', 'Γιώργος', 'ofﬁce']) await addUser(store, name);
    const found = (name: string) =>
      store.read(async ({ users }) => (await users.lookalikes(lookalikeKey(name))).map((user) => user.name));
    assert.deepEqual(await found('ＡＮＮＡ'), ['anna']);
    assert.deepEqual(await found('Ben'), ['ｂｅｎ']);
    assert.deepEqual(await found('STRASSE'), ['straße']);
    assert.deepEqual(await found('ΓΙΏΡΓΟΣ'), ['Γιώργος']);
    assert.deepEqual(await found('OFFICE'), ['ofﬁce']);
    assert.deepEqual(await found('nobody'), []);
    assert.deepEqual(await found(''), []);
  });

  test('users whose names look alike are all found, by ascending keys, and under their new names', async (t) => {
    const store = await make(t);
    const one = await addUser(store, 'carl');
    const two = await addUser(store, 'ｃarl');
    const found = () => store.read(async ({ users }) => (await users.lookalikes('carl')).map(({ id }) => id));
    assert.deepEqual(await found(), [one.id, two.id]);
    await store.write(({ users }) => users.rename(two.id, 'dora', 'dora'));
    assert.deepEqual(await found(), [one.id]);
    await store.write(({ users }) => users.rename(two.id, 'ｃarl', 'ｃarl'));
    assert.deepEqual(await found(), [one.id, two.id]);
    await store.write(({ users }) => users.remove(two.id));
    assert.deepEqual(await found(), [one.id]);
  });

  test('two units that look for lookalikes and add one run one after the other', async (t) => {
    const store = await make(t);
    const added = await Promise.all(
      ['eva', 'ｅva', 'ｅｖa'].map((name) =>
        store.write(async ({ users }) => {
          if ((await users.lookalikes('eva')).length > 0) return undefined;
          return users.add(aUser(name));
        }),
      ),
    );
    assert.equal(added.filter((user) => user !== undefined).length, 1);
  });
}
