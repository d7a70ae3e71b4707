import assert from 'node:assert/strict';
import { test } from 'node:test';
import { newUser } from '../../../../src/core/domain/user.ts';
import type { UserFilter, UserPlace } from '../../../../src/core/storage/people.ts';
import type { Store } from '../../../../src/core/storage/store.ts';
import { addUser, aUser, type MakeStore, NOW } from './samples.ts';

const found = async (store: Store, filter: UserFilter, after?: UserPlace, limit = 100) =>
  (await store.read((unit) => unit.users.search(filter, after, limit))).map(({ name }) => name);

/** Users of which each so many-th is found. PostgreSQL's index has the users in groups of 8,192. */
const FAR_APART = 8_401;
const EVERY = 1_200;

/** Users are found by the beginning of their name, by any part of names and e-mail, and by their state. */
export function usersAreFoundByAPart(make: MakeStore): void {
  test('a part of three characters finds user names, first and last names, and e-mail, in any case', async (t) => {
    const store = await make(t);
    const ada = await addUser(store, 'ada.l');
    const ben = await addUser(store, 'Hannah');
    await addUser(store, 'cy');
    await store.write(async ({ profiles }) => {
      await profiles.put(ada.id, { firstName: 'Ada', lastName: 'LÖVELACE', email: 'a_b%c@example.com' });
      await profiles.put(ben.id, { lastName: 'Lovel' });
    });
    assert.deepEqual(await found(store, { part: 'NNA' }), ['Hannah']);
    assert.deepEqual(await found(store, { part: 'velace' }), ['ada.l']);
    assert.deepEqual(await found(store, { part: 'Ada Löv' }), ['ada.l']);
    assert.deepEqual(await found(store, { part: 'a_b%c@' }), ['ada.l']);
    assert.deepEqual(await found(store, { part: 'aXb' }), []);
    assert.deepEqual(await found(store, { part: 'Ada Lövelace' }), ['ada.l']);
    assert.deepEqual(await found(store, { part: 'B%C@EXAMPLE.com' }), ['ada.l']);
    for (const absent of [
      'ada lovelace',
      'example.co "m"',
      'Ada  Lövelace',
      'lövelace ada',
      'a_b%c@example.co*',
    ])
      assert.deepEqual(await found(store, { part: absent }), [], absent);
    assert.deepEqual(await found(store, { part: 'vel' }), ['ada.l', 'Hannah']);
    assert.deepEqual(await found(store, { part: 'vel', prefix: 'h' }), ['Hannah']);
    assert.deepEqual(await found(store, { part: 'ada.l', prefix: 'h' }), []);
    for (const odd of [
      '"vel"',
      'vel*',
      "vel' OR",
      'velNOT',
      '%%%',
      '$1$',
      'a AND b',
      'vel\0',
      'velace\0velace',
    ])
      assert.deepEqual(await found(store, { part: odd }), [], odd);
    await store.write((unit) => unit.profiles.put(ada.id, { lastName: 'King' }));
    assert.deepEqual(await found(store, { part: 'vel' }), ['Hannah']);
    assert.deepEqual(await found(store, { part: 'king' }), ['ada.l']);
    await store.write((unit) => unit.profiles.put(ada.id, {}));
    assert.deepEqual(await found(store, { part: 'king' }), []);
    assert.deepEqual(await found(store, { part: 'ada.l' }), ['ada.l']);
    await store.write((unit) => unit.users.remove(ben.id));
    assert.deepEqual(await found(store, { part: 'hannah' }), []);
  });

  test('a user whom a unit adds and changes is found by what the user has at its end', async (t) => {
    const store = await make(t);
    await store.write(async (unit) => {
      const { users, profiles } = unit;
      const [ada, gone] = [await users.add(aUser('first name')), await users.add(aUser('lovelace the gone'))];
      assert.ok(ada && gone);
      await profiles.put(ada.id, { lastName: 'King' });
      await users.rename(ada.id, 'countess', 'countess');
      await profiles.put(ada.id, { lastName: 'Lovelace' });
      await users.remove(gone.id);
      await unit.aside(async () => {
        await users.add(aUser('lovelace the undone'));
        throw new Error('undone');
      });
    });
    for (const part of ['countess', 'lovelace']) assert.deepEqual(await found(store, { part }), ['countess']);
    for (const part of ['first', 'king', 'gone', 'undone'])
      assert.deepEqual(await found(store, { part }), []);
  });

  test('pages follow each other, with nothing but a part by ids and otherwise by keys', async (t) => {
    const store = await make(t);
    const added: UserPlace[] = [];
    for (const name of ['anna3', 'anna1', 'joanna', 'anna2']) added.push(await addUser(store, name));
    assert.deepEqual(await found(store, { part: 'anna' }, undefined, 2), ['anna3', 'anna1']);
    assert.deepEqual(await found(store, { part: 'anna' }, added[1], 2), ['joanna', 'anna2']);
    assert.deepEqual(await found(store, { prefix: 'anna' }, undefined, 2), ['anna1', 'anna2']);
    assert.deepEqual(await found(store, { prefix: 'anna' }, added[3], 2), ['anna3']);
    assert.deepEqual(await found(store, {}, added[0], 2), ['joanna']);
    assert.deepEqual(await found(store, { part: 'anna', prefix: 'jo' }), ['joanna']);
    assert.deepEqual(await found(store, { part: 'nna', prefix: 'ann' }, undefined, 2), ['anna1', 'anna2']);
    assert.deepEqual(await found(store, { part: 'nna', prefix: 'ann', disabled: false }, added[3], 2), [
      'anna3',
    ]);
  });

  test('a part finds users in the order of ids, however far apart their ids are', async (t) => {
    const store = await make(t);
    const added: UserPlace[] = [];
    for (let first = 0; first < FAR_APART; first += EVERY)
      await store.write(async ({ users }) => {
        for (let number = first; number < Math.min(first + EVERY, FAR_APART); number += 1) {
          const name = number === first ? `needle ${number}` : `hay ${number}`;
          const user = await users.add(newUser(name, { namesCaseSensitive: false, passwordHash: undefined }));
          if (user !== undefined && number === first) added.push(user);
        }
      });
    const ids = async (after: UserPlace | undefined, limit: number) =>
      (await store.read(({ users }) => users.search({ part: 'needle' }, after, limit))).map(({ id }) => id);
    const all = added.map(({ id }) => id);
    assert.deepEqual(await ids(undefined, 100), all);
    assert.deepEqual(await ids(added[1], 2), all.slice(2, 4));
    assert.deepEqual(await ids(added.at(-1), 2), []);
  });

  test('a part is looked for in any case, where names differ by case too', async (t) => {
    const store = await make(t);
    await store.write(({ users }) =>
      users.add({
        ...newUser('ÄNNE', { namesCaseSensitive: true, passwordHash: undefined }),
        disabled: true,
      }),
    );
    assert.deepEqual(await found(store, { part: 'änn' }), ['ÄNNE']);
    assert.deepEqual(await found(store, { part: 'änn', disabled: true }), ['ÄNNE']);
  });

  test('a filter keeps administrators, disabled users, or those locked at a time', async (t) => {
    const store = await make(t);
    await addUser(store, 'admin', { administrator: true });
    await addUser(store, 'off', { disabled: true });
    await addUser(store, 'locked', { lockedUntil: NOW + 1 });
    await addUser(store, 'plain');
    assert.deepEqual(await found(store, { administrators: true }), ['admin']);
    assert.deepEqual(await found(store, { disabled: true }), ['off']);
    assert.deepEqual(await found(store, { lockedAt: NOW }), ['locked']);
    assert.deepEqual(await found(store, { lockedAt: NOW + 1 }), []);
    assert.deepEqual(await found(store, { lockedAt: NOW, part: 'lock' }), ['locked']);
    assert.deepEqual(await found(store, { disabled: true, prefix: 'p' }), []);
  });
}
