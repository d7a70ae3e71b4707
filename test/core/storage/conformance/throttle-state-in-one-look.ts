import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ReadUnit, Store, StoredThrottleState, WriteUnit } from '../../../../src/core/storage/store.ts';
import { aCounter, addUser, aTry, aUser, type MakeStore, NOW, shown } from './samples.ts';

const HOME = '192.0.2.1';
const ASKED = aTry('ada', HOME);
const { name, pair, subscriber, site, address } = ASKED.keys;
const NONE = { pair: undefined, subscriber: undefined, site: undefined, address: undefined };

/** The throttle state of the attempt, as a unit finds it. */
export async function throttleState(
  { attempts }: Pick<ReadUnit, 'attempts'>,
  known?: StoredThrottleState,
): Promise<StoredThrottleState> {
  return attempts.throttleState(ASKED, known);
}

/** Changes, each of which changes the throttle state. The user with the id 1 is ada. */
export const CHANGES: readonly (readonly [string, (unit: WriteUnit) => Promise<unknown>])[] = [
  ['a counter of the name', ({ attempts }) => attempts.put(name, name, aCounter({ failures: 1 }))],
  ['a counter of the pair', ({ attempts }) => attempts.put(pair, name, aCounter({ failures: 2 }))],
  ['a counter of the address', ({ attempts }) => attempts.put(address, undefined, aCounter({ failures: 3 }))],
  [
    'a counter of the subscriber',
    ({ attempts }) => attempts.put(subscriber, name, aCounter({ failures: 5 })),
  ],
  ['a counter of the site', ({ attempts }) => attempts.put(site, name, aCounter({ failures: 6 }))],
  ['another count', ({ attempts }) => attempts.put(address, undefined, aCounter({ failures: 4 }))],
  ['a counter removed', ({ attempts }) => attempts.remove(pair)],
  ['the counters of the name removed', ({ attempts }) => attempts.removeOfName(name)],
  ['all counters trimmed', ({ attempts }) => attempts.trim(0, NOW)],
  ['an address made familiar', ({ attempts }) => attempts.setFamiliar(1, HOME, NOW)],
  ['an address familiar again', ({ attempts }) => attempts.setFamiliar(1, HOME, NOW + 1)],
  ['an address forgotten', ({ attempts }) => attempts.forgetFamiliar(1, HOME)],
  ['an address made familiar anew', ({ attempts }) => attempts.setFamiliar(1, HOME, NOW)],
  ['familiar addresses swept', ({ attempts }) => attempts.sweepFamiliar(NOW + 1, 10)],
  ['a user disabled', ({ users }) => users.change(1, { disabled: true })],
  ['another password', ({ users }) => users.change(1, { passwordHash: 'another', generation: 1 })],
  ['a user removed', ({ users }) => users.remove(1)],
  ['a user of the name added', ({ users }) => users.add(aUser('ada'))],
];

/** A throttle state is read in one look-up, as the last commit left it, whatever is passed as known. */
export function throttleStateInOneLook(make: MakeStore): void {
  async function withAda(t: Parameters<MakeStore>[0]): Promise<Store> {
    const store = await make(t);
    await addUser(store, 'ada');
    return store;
  }

  test('a throttle state has the user, each counter under its own key, and since when the address is familiar', async (t) => {
    const store = await withAda(t);
    await store.write(async ({ attempts }) => {
      await attempts.put(name, name, aCounter({ failures: 1 }));
      await attempts.put(pair, name, aCounter({ failures: 2 }));
      await attempts.put(address, undefined, aCounter({ failures: 3 }));
      await attempts.put(subscriber, name, aCounter({ failures: 4 }));
      await attempts.put(site, name, aCounter({ failures: 5 }));
      await attempts.setFamiliar(1, HOME, NOW);
    });
    const { user, counters, familiarSince } = await store.read((unit) => throttleState(unit));
    assert.deepEqual(user, { id: 1, ...aUser('ada') });
    assert.deepEqual(counters.name, aCounter({ failures: 1 }));
    assert.deepEqual(counters.pair, aCounter({ failures: 2 }));
    assert.deepEqual(counters.address, aCounter({ failures: 3 }));
    assert.deepEqual(counters.subscriber, aCounter({ failures: 4 }));
    assert.deepEqual(counters.site, aCounter({ failures: 5 }));
    assert.equal(familiarSince, NOW);
  });

  test('a name that cannot be anybody’s has counters, and no user, though somebody has its keys', async (t) => {
    const store = await withAda(t);
    await store.write(async ({ attempts }) => {
      await attempts.put(name, name, aCounter());
      await attempts.setFamiliar(1, HOME, NOW);
    });
    assert.equal((await store.read((unit) => throttleState(unit))).user?.id, 1);
    const asked = { ...ASKED, userKey: undefined };
    const found = await store.read(({ attempts }) => attempts.throttleState(asked));
    assert.deepEqual(shown(found), {
      user: undefined,
      counters: { ...NONE, name: aCounter() },
      familiarSince: undefined,
    });
  });

  test('a user of a key that differs by case is another one', async (t) => {
    const store = await withAda(t);
    for (const userKey of ['Ada', 'ADA', 'ada '])
      assert.equal(
        (await store.read(({ attempts }) => attempts.throttleState({ ...ASKED, userKey }))).user,
        undefined,
      );
    const { id } = await addUser(store, 'Ada', { key: 'Ada' });
    const found = await store.read(({ attempts }) => attempts.throttleState({ ...ASKED, userKey: 'Ada' }));
    assert.equal(found.user?.id, id);
  });

  test('a caller that passes a known throttle state gets each change of it', async (t) => {
    const store = await withAda(t);
    let known = await store.read((unit) => throttleState(unit));
    for (const [what, change] of CHANGES) {
      await store.write(change);
      const again = await store.read((unit) => throttleState(unit, known));
      assert.notDeepEqual(shown(again), shown(known), what);
      assert.deepEqual(shown(again), shown(await store.read((unit) => throttleState(unit))), what);
      known = again;
    }
  });

  test('a write unit finds a throttle state as it has changed it itself', async (t) => {
    const store = await withAda(t);
    const written = await store.write(async (unit) => {
      await unit.attempts.put(name, name, aCounter());
      await unit.attempts.put(pair, name, aCounter());
      await unit.attempts.remove(pair);
      await unit.attempts.setFamiliar(1, HOME, NOW);
      await unit.users.change(1, { lockedUntil: NOW });
      return shown(await throttleState(unit));
    });
    assert.deepEqual(written.counters, { ...NONE, name: aCounter() });
    assert.equal(written.familiarSince, NOW);
    assert.equal(written.user?.lockedUntil, NOW);
  });

  test('no change is lost among units that read a throttle state and change it together', async (t) => {
    const store = await withAda(t);
    const counts = Array.from({ length: 20 }, () =>
      store.write(async (unit) => {
        const { user, counters } = await throttleState(unit);
        await unit.attempts.put(name, name, aCounter({ failures: (counters.name?.failures ?? 0) + 1 }));
        await unit.users.change(1, { generation: (user?.generation ?? 0) + 1 });
      }),
    );
    await Promise.all(counts);
    const { user, counters } = await store.read((unit) => throttleState(unit));
    assert.deepEqual([user?.generation, counters.name?.failures], [20, 20]);
  });

  test('a unit that is rolled back changes no throttle state', async (t) => {
    const store = await withAda(t);
    const known = await store.read((unit) => throttleState(unit));
    const failing = store.write(async ({ attempts }) => {
      await attempts.put(name, name, aCounter());
      throw new Error('undone');
    });
    await assert.rejects(failing, /undone/);
    assert.deepEqual(shown(await store.read((unit) => throttleState(unit, known))), shown(known));
  });
}
