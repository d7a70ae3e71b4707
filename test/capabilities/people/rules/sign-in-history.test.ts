import assert from 'node:assert/strict';
import { test } from 'node:test';
import { signInHistory } from '../../../../src/capabilities/people/rules/sign-in-history.ts';
import type { Event } from '../../../../src/core/domain/event.ts';
import { userKey } from '../../../../src/core/domain/user.ts';
import { addUser } from '../../../core/storage/conformance/samples.ts';
import { openMemory } from '../../../engines/memory/open.ts';

const storeWith = async (...events: readonly Event[]) => {
  const store = openMemory();
  await addUser(store, 'anna');
  await addUser(store, 'guest', { passwordHash: undefined });
  await store.write(async (unit) => {
    for (const event of events) await unit.events.append(event);
  });
  return store;
};

/** The times and kinds of the history of this user. */
const historyOf = async (
  store: Awaited<ReturnType<typeof storeWith>>,
  name: string,
  { limit = 20, namesCaseSensitive = false } = {},
) => {
  const keyOf = (text: string) => userKey(text, namesCaseSensitive);
  const id = (await store.read((unit) => unit.users.findByKey(name)))?.id ?? 0;
  const isOwn = (text: string) => keyOf(text) === keyOf(name);
  const found = await store.read((unit) => signInHistory(unit, { id, name, isOwn }, limit));
  return found.map(({ at, kind }) => `${at} ${kind}`);
};

test('a sign-in history holds the sign-ins, tries and locks of one user, the latest first', async () => {
  const store = await storeWith(
    { at: 1, kind: 'login', user: 'anna' },
    { at: 2, kind: 'login', user: 'bert' },
    { at: 3, kind: 'login-refused', user: 'anna', reason: 'wrong-password' },
    { at: 4, kind: 'logout', user: 'anna' },
    { at: 5, kind: 'lock', user: 'Anna' },
    { at: 6, kind: 'password-accepted', user: 'anna' },
  );
  assert.deepEqual(await historyOf(store, 'anna'), [
    '6 password-accepted',
    '5 lock',
    '3 login-refused',
    '1 login',
  ]);
  assert.deepEqual(await historyOf(store, 'anna', { limit: 2 }), ['6 password-accepted', '5 lock']);
});

test('changes of what signs a user in stand among the sign-ins', async () => {
  const store = await storeWith(
    { at: 1, kind: 'login', user: 'anna' },
    { at: 2, kind: 'password-changed', user: 'anna' },
    { at: 3, kind: 'password-changed', user: 'bert' },
    { at: 4, kind: 'app-password-added', user: 'anna', reason: 'scanner' },
    { at: 5, kind: 'second-factor-reset', user: 'anna', actor: 'admin' },
    { at: 6, kind: 'profile-changed', user: 'anna' },
  );
  assert.deepEqual(await historyOf(store, 'anna'), [
    '5 second-factor-reset',
    '4 app-password-added',
    '2 password-changed',
    '1 login',
  ]);
});

test('events of an earlier user of the name are not shown', async () => {
  const store = await storeWith(
    { at: 1, kind: 'user-added', user: 'anna' },
    { at: 2, kind: 'login', user: 'anna' },
    { at: 3, kind: 'user-removed', user: 'anna' },
    { at: 4, kind: 'login-refused', user: 'anna' },
    { at: 5, kind: 'user-added', user: 'anna' },
    { at: 5, kind: 'login', user: 'anna' },
  );
  assert.deepEqual(await historyOf(store, 'anna'), ['5 login']);
});

test('where names differ by case, many events of another spelling hide none of the own ones', async () => {
  const flood = Array.from(
    { length: 50 },
    (_, at) => ({ at: 10 + at, kind: 'login', user: 'ANNA' }) as const,
  );
  const store = await storeWith({ at: 1, kind: 'login', user: 'anna' }, ...flood);
  assert.deepEqual(await historyOf(store, 'anna', { namesCaseSensitive: true }), ['1 login']);
});

test('a user without a password sees no sign-ins: they are of other people', async () => {
  const store = await storeWith({ at: 1, kind: 'login', user: 'guest' });
  assert.deepEqual(await historyOf(store, 'guest'), []);
});
