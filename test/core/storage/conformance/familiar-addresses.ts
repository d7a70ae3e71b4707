import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { User } from '../../../../src/core/domain/user.ts';
import type { Store } from '../../../../src/core/storage/store.ts';
import { addUser, familiarSince, type MakeStore, NOW } from './samples.ts';

const HOME = '192.0.2.1';
const OFFICE = '2001:db8:1:2::/64';

const since = (store: Store, { key }: User, address: string) =>
  store.read((unit) => familiarSince(unit, key, address));

/** An address is familiar to a user, with the time it was last set to. */
export function familiarAddresses(make: MakeStore): void {
  test('an address is familiar to its user alone, since it was set last', async (t) => {
    const store = await make(t);
    const [ada, ben] = [await addUser(store, 'ada'), await addUser(store, 'ben')];
    await store.write((unit) => unit.attempts.setFamiliar(ada.id, HOME, NOW));
    await store.write((unit) => unit.attempts.setFamiliar(ada.id, OFFICE, NOW + 1));
    await store.write((unit) => unit.attempts.setFamiliar(ada.id, HOME, NOW + 2));
    assert.equal(await since(store, ada, HOME), NOW + 2);
    assert.equal(await since(store, ada, OFFICE), NOW + 1);
    assert.equal(await since(store, ben, HOME), undefined);
  });

  test('an address is forgotten for one user, and stays for the others', async (t) => {
    const store = await make(t);
    const [ada, ben] = [await addUser(store, 'ada'), await addUser(store, 'ben')];
    await store.write(async ({ attempts }) => {
      for (const { id } of [ada, ben]) await attempts.setFamiliar(id, HOME, NOW);
      await attempts.setFamiliar(ada.id, OFFICE, NOW);
      await attempts.forgetFamiliar(ada.id, HOME);
    });
    assert.equal(await since(store, ada, HOME), undefined);
    assert.equal(await since(store, ada, OFFICE), NOW);
    assert.equal(await since(store, ben, HOME), NOW);
  });

  test('a sweep removes addresses that were last seen before the instant, not at it', async (t) => {
    const store = await make(t);
    const ada = await addUser(store, 'ada');
    await store.write(async ({ attempts }) => {
      await attempts.setFamiliar(ada.id, HOME, NOW - 1);
      await attempts.setFamiliar(ada.id, OFFICE, NOW);
      assert.equal(await attempts.sweepFamiliar(NOW, 10), 1);
    });
    assert.equal(await since(store, ada, HOME), undefined);
    assert.equal(await since(store, ada, OFFICE), NOW);
  });

  test('a sweep removes no more at once than its limit', async (t) => {
    const store = await make(t);
    const ada = await addUser(store, 'ada');
    await store.write(async ({ attempts }) => {
      for (let n = 1; n <= 5; n += 1) await attempts.setFamiliar(ada.id, `192.0.2.${n}`, n);
    });
    const swept = () => store.write(({ attempts }) => attempts.sweepFamiliar(NOW, 2));
    assert.deepEqual([await swept(), await swept(), await swept(), await swept()], [2, 2, 1, 0]);
  });
}
