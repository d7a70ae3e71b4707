import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bytesOf } from '../../../../src/core/domain/ticket.ts';
import type { Store } from '../../../../src/core/storage/store.ts';
import { aDigest, addUser, anAppPassword, type MakeStore, NOW } from './samples.ts';

/** Adds an app password of each of these users, in their order. */
async function added(store: Store, ...users: readonly { readonly id: number }[]) {
  const all = users.map(({ id }, n) => anAppPassword(n, id, `mail ${users.length - n}`));
  for (const each of all) assert.equal(await store.write((unit) => unit.appPasswords.add(each)), true);
  return all;
}

/** A user has app passwords by their names, each once, and they are found by their digests. */
export function appPasswordsAreKeptByName(make: MakeStore): void {
  test('an app password comes back as it was kept, by its user and name, and by its digest', async (t) => {
    const store = await make(t);
    const [ada, ben] = [await addUser(store, 'ada'), await addUser(store, 'ben')];
    const addresses = ['192.0.2.0/24', '2001:db8::/64'];
    const one = anAppPassword(1, ada.id, 'Zoë’s mail', { addresses, expiresAt: NOW + 1, usedAt: NOW });
    const [two, his] = [anAppPassword(2, ada.id, 'cron'), anAppPassword(3, ben.id, 'cron')];
    await store.write(async ({ appPasswords }) => {
      for (const each of [two, one, his]) assert.equal(await appPasswords.add(each), true);
      assert.deepEqual(await appPasswords.ofUser(ada.id), [one, two]);
    });
    await store.read(async ({ appPasswords }) => {
      assert.deepEqual(await appPasswords.ofUser(ada.id), [one, two]);
      assert.deepEqual(await appPasswords.find(ada.id, 'Zoë’s mail'), one);
      assert.deepEqual(await appPasswords.find(ben.id, 'cron'), his);
      assert.equal(await appPasswords.find(ben.id, 'Zoë’s mail'), undefined);
      assert.equal(await appPasswords.find(ada.id, 'Cron'), undefined);
      assert.deepEqual(await appPasswords.findByDigest(two.digest), two);
      assert.equal(await appPasswords.findByDigest(bytesOf(aDigest(4))), undefined);
    });
  });

  test('a second app password of the same name, or of the same digest, is not added', async (t) => {
    const store = await make(t);
    const [ada, ben] = [await addUser(store, 'ada'), await addUser(store, 'ben')];
    const [first] = await added(store, ada);
    await store.write(async ({ appPasswords }) => {
      assert.equal(await appPasswords.add(anAppPassword(7, ada.id, 'mail 1')), false);
      assert.equal(await appPasswords.add(anAppPassword(0, ben.id, 'other')), false);
    });
    const all = await store.read(async ({ appPasswords }) => [
      ...(await appPasswords.ofUser(ada.id)),
      ...(await appPasswords.ofUser(ben.id)),
    ]);
    assert.deepEqual(all, [first]);
  });

  test('its last use moves forward only, and a removed one is gone', async (t) => {
    const store = await make(t);
    const ada = await addUser(store, 'ada');
    const [{ digest }] = (await added(store, ada)) as [ReturnType<typeof anAppPassword>];
    for (const at of [NOW + 5, NOW + 3]) await store.write((unit) => unit.appPasswords.use(digest, at));
    const found = () => store.read((unit) => unit.appPasswords.findByDigest(digest));
    assert.equal((await found())?.usedAt, NOW + 5);
    const remove = () => store.write((unit) => unit.appPasswords.remove(ada.id, 'mail 1'));
    assert.deepEqual([await remove(), await remove(), await found()], [true, false, undefined]);
  });

  test('the app passwords that expired are found, the first to expire first', async (t) => {
    const store = await make(t);
    const ada = await addUser(store, 'ada');
    const ends = [NOW + 3, undefined, NOW + 1, NOW + 2, NOW + 4];
    const all = ends.map((expiresAt, n) => anAppPassword(n, ada.id, `mail ${n}`, { expiresAt }));
    for (const each of all) await store.write((unit) => unit.appPasswords.add(each));
    const expired = (now: number, limit: number) =>
      store.read(async (unit) => (await unit.appPasswords.expired(now, limit)).map(({ name }) => name));
    assert.deepEqual(await expired(NOW, 10), []);
    assert.deepEqual(await expired(NOW + 3, 10), ['mail 2', 'mail 3', 'mail 0']);
    assert.deepEqual(await expired(NOW + 3, 2), ['mail 2', 'mail 3']);
  });

  test('a removed user takes its app passwords along, and no other user’s', async (t) => {
    const store = await make(t);
    const [ada, ben] = [await addUser(store, 'ada'), await addUser(store, 'ben')];
    const [hers, alsoHers, his] = await added(store, ada, ada, ben);
    await store.write((unit) => unit.users.remove(ada.id));
    await store.read(async ({ appPasswords }) => {
      for (const gone of [hers, alsoHers])
        assert.equal(await appPasswords.findByDigest(gone?.digest ?? Buffer.of()), undefined);
      assert.deepEqual(await appPasswords.ofUser(ada.id), []);
      assert.deepEqual(await appPasswords.ofUser(ben.id), [his]);
    });
  });
}
