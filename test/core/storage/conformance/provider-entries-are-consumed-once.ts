import assert from 'node:assert/strict';
import { test } from 'node:test';
import { NOBODY, type ProviderEntry } from '../../../../src/capabilities/oidc-provider/tables/entries.ts';
import { bytesOf } from '../../../../src/core/domain/ticket.ts';
import type { Store } from '../../../../src/core/storage/store.ts';
import { aDigest, addUser, type MakeStore, NOW } from './samples.ts';

const digestOf = (n: number) => bytesOf(aDigest(n));
const anEntry = (n: number, more: Partial<ProviderEntry> = {}): ProviderEntry => ({
  digest: digestOf(n),
  kind: 'AuthorizationCode',
  payload: `{"a":"\u{1f600}${n}"}`,
  grantDigest: undefined,
  ticketDigest: undefined,
  aliasDigest: undefined,
  client: undefined,
  userId: undefined,
  expiresAt: undefined,
  consumedAt: undefined,
  ...more,
});
const put = (store: Store, ...entries: readonly ProviderEntry[]) =>
  store.write(async ({ providerEntries }) => {
    for (const entry of entries) await providerEntries.put(entry);
  });
const find = (store: Store, n: number) =>
  store.read(({ providerEntries }) => providerEntries.find(digestOf(n)));

/** What the OpenID provider keeps is found by digests, consumed once, and goes with its grant, client or user. */
export function providerEntriesAreConsumedOnce(make: MakeStore): void {
  test('an entry of the provider comes back as it was put, and is replaced', async (t) => {
    const store = await make(t);
    const all = {
      grantDigest: digestOf(8),
      ticketDigest: digestOf(9),
      aliasDigest: digestOf(10),
      client: 'a',
      userId: 7,
      expiresAt: NOW + 1,
      consumedAt: NOW,
    };
    await put(store, anEntry(1), anEntry(2, all));
    assert.deepEqual([await find(store, 1), await find(store, 2)], [anEntry(1), anEntry(2, all)]);
    await put(store, anEntry(1, { payload: '{}', userId: 7 }));
    assert.deepEqual(await find(store, 1), anEntry(1, { payload: '{}', userId: 7 }));
    await store.read(async ({ providerEntries }) => {
      const byAlias = (kind: string) => providerEntries.findByAlias(kind, digestOf(10));
      assert.deepEqual(await byAlias('AuthorizationCode'), anEntry(2, all));
      assert.equal(await byAlias('Session'), undefined);
      assert.equal((await providerEntries.ofUser(7, 'AuthorizationCode')).length, 2);
      assert.deepEqual(await providerEntries.ofUser(8, 'AuthorizationCode'), []);
      const ofClient = (after: Buffer) => providerEntries.ofClient('a', 'AuthorizationCode', after, 9);
      assert.deepEqual(await ofClient(Buffer.alloc(0)), [anEntry(2, all)]);
      assert.deepEqual(await ofClient(digestOf(2)), []);
    });
  });

  test('of several units at once one consumes an entry, and putting it again does not undo that', async (t) => {
    const store = await make(t);
    await put(store, anEntry(1));
    const consume = (n: number) =>
      store.write(({ providerEntries }) => providerEntries.consume(digestOf(n), NOW + n));
    const outcomes = await Promise.all([consume(1), consume(1), consume(1)]);
    assert.deepEqual(outcomes.filter(Boolean), [true]);
    await put(store, anEntry(1));
    assert.equal((await find(store, 1))?.consumedAt, NOW + 1);
    assert.equal(await consume(2), false, 'there is no such entry');
  });

  test('entries go with their grant, their client and their user, and no others do', async (t) => {
    const store = await make(t);
    const [ada, ben] = [await addUser(store, 'ada'), await addUser(store, 'ben')];
    const grantDigest = digestOf(9);
    await store.write(({ clients }) => clients.add({ name: 'a', secretDigest: undefined, addedAt: NOW }));
    await put(
      store,
      anEntry(1, { grantDigest }),
      anEntry(2, { grantDigest, userId: ada.id }),
      anEntry(3, { client: 'a', userId: ben.id }),
      anEntry(4, { client: 'b', userId: ada.id }),
      anEntry(5),
      anEntry(6, { userId: ben.id }),
    );
    const left = async () =>
      (await Promise.all([1, 2, 3, 4, 5, 6].map((n) => find(store, n)))).flatMap((entry, at) =>
        entry ? [at + 1] : [],
      );
    assert.equal(await store.write((unit) => unit.providerEntries.removeOfGrant(grantDigest)), 2);
    assert.deepEqual(await left(), [3, 4, 5, 6]);
    await store.write(({ clients }) => clients.remove('a'));
    assert.deepEqual(await left(), [4, 5, 6]);
    await put(store, anEntry(1, { kind: 'Grant', userId: ada.id }));
    await put(store, anEntry(2, { kind: 'EndedGrant', userId: ada.id }));
    await store.write(({ users }) => users.remove(ada.id));
    assert.deepEqual(await left(), [1, 2, 5, 6], 'applications are still to be told of the grants');
    const ofNobody = (kind: string) => store.read((unit) => unit.providerEntries.ofUser(NOBODY, kind));
    assert.deepEqual(await ofNobody('Grant'), [anEntry(1, { kind: 'Grant', userId: NOBODY })]);
    assert.equal((await ofNobody('EndedGrant')).length, 1);
    await store.write(async ({ providerEntries }) => {
      for (const n of [1, 2]) await providerEntries.remove(digestOf(n));
    });
    await store.write(({ providerEntries }) => providerEntries.remove(digestOf(5)));
    assert.deepEqual(await left(), [6]);
  });

  test('expired entries are swept, the first to expire first, and those without an end stay', async (t) => {
    const store = await make(t);
    await put(store, anEntry(1, { expiresAt: NOW + 2 }), anEntry(2, { expiresAt: NOW + 1 }), anEntry(3));
    const sweep = (before: number, limit: number) =>
      store.write(({ providerEntries }) => providerEntries.sweep(before, limit));
    assert.equal(await sweep(NOW + 1, 10), 0);
    assert.equal(await sweep(NOW + 9, 1), 1);
    assert.equal(await find(store, 2), undefined);
    assert.equal(await sweep(NOW + 9, 10), 1);
    assert.deepEqual(await find(store, 3), anEntry(3));
  });

  test('of what begins without a sign-in only so many entries stay, those that expire last', async (t) => {
    const store = await make(t);
    const begun = { kind: 'Interaction', ticketDigest: undefined };
    await put(
      store,
      anEntry(1, { ...begun, expiresAt: NOW + 1 }),
      anEntry(2, { ...begun, expiresAt: NOW + 3 }),
      anEntry(3, { ...begun, expiresAt: NOW + 2 }),
      anEntry(4, { ...begun, expiresAt: NOW, ticketDigest: digestOf(7) }),
      anEntry(5, { ...begun, kind: 'ReplayDetection', expiresAt: NOW }),
    );
    const trim = (most: number, limit: number) =>
      store.write(({ providerEntries }) => providerEntries.trim(most, limit));
    assert.equal(await trim(3, 10), 0);
    assert.equal(await trim(1, 1), 1);
    assert.equal(await trim(1, 10), 1);
    assert.equal(await trim(1, 10), 0);
    const left = await Promise.all([1, 2, 3, 4, 5].map((n) => find(store, n)));
    assert.deepEqual(
      left.map((entry) => entry !== undefined),
      [false, true, false, true, true],
    );
  });
}
