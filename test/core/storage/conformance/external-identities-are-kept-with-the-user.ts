import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ExternalIdentity } from '../../../../src/core/domain/external-identity.ts';
import { addUser, type MakeStore, NOW } from './samples.ts';

const identityOf = (userId: number, more: Partial<ExternalIdentity> = {}): ExternalIdentity => ({
  ...{ userId, provider: 'ldap', subject: `subject of ${userId} "é"`, groups: ['Staff', 'Zwölf, "x"'] },
  ...{ checkedAt: NOW, disabledThere: false, ...more },
});

/** An identity is found by its provider and subject and by its user, and goes with the user. */
export function externalIdentitiesAreKeptWithTheUser(make: MakeStore): void {
  test('an identity comes back as it was put, and replaces the one before', async (t) => {
    const store = await make(t);
    const [ada, ben] = [await addUser(store, 'ada'), await addUser(store, 'ben')];
    const identity = identityOf(ada.id);
    await store.write(({ externalIdentities }) => externalIdentities.put(identity));
    await store.read(async ({ externalIdentities }) => {
      assert.deepEqual(await externalIdentities.find('ldap', identity.subject), identity);
      assert.deepEqual(await externalIdentities.ofUser(ada.id), identity);
      assert.equal(await externalIdentities.find('other', identity.subject), undefined);
      assert.equal(await externalIdentities.find('ldap', identity.subject.toUpperCase()), undefined);
      assert.equal(await externalIdentities.ofUser(ben.id), undefined);
    });
    const changed = identityOf(ada.id, { subject: 'another', groups: [], disabledThere: true, checkedAt: 7 });
    await store.write(async ({ externalIdentities }) => {
      await externalIdentities.put(changed);
      assert.deepEqual(await externalIdentities.find('ldap', 'another'), changed);
    });
    await store.read(async ({ externalIdentities }) => {
      assert.deepEqual(await externalIdentities.ofUser(ada.id), changed);
      assert.equal(await externalIdentities.find('ldap', identity.subject), undefined);
    });
  });

  test('identities are due by the time of their last check, by ascending ids', async (t) => {
    const store = await make(t);
    const users = [];
    for (const name of ['a', 'b', 'c', 'd']) users.push(await addUser(store, name));
    const [a, b, c, d] = users.map(({ id }) => id) as [number, number, number, number];
    await store.write(async ({ externalIdentities }) => {
      for (const id of [d, c, a]) await externalIdentities.put(identityOf(id, { checkedAt: NOW - 10 }));
      await externalIdentities.put(identityOf(b, { provider: 'other', checkedAt: NOW - 10 }));
    });
    const due = (before: number, after = 0, limit = 10) =>
      store.read(async ({ externalIdentities }) =>
        (await externalIdentities.due('ldap', before, after, limit)).map(({ userId }) => userId),
      );
    assert.deepEqual(await due(NOW), [a, c, d]);
    assert.deepEqual(await due(NOW, 0, 2), [a, c]);
    assert.deepEqual(await due(NOW, c), [d]);
    assert.deepEqual(await due(NOW - 10), []);
    await store.write(({ externalIdentities }) => externalIdentities.setChecked([a, d, 1_000_000], NOW));
    assert.deepEqual(await due(NOW), [c]);
    await store.write(({ externalIdentities }) => externalIdentities.setChecked([], NOW));
    assert.deepEqual(await due(NOW + 1), [a, c, d]);
  });

  test('a removed user takes its identity along, and a fault of the unit leaves the one before', async (t) => {
    const store = await make(t);
    const ada = await addUser(store, 'ada');
    const identity = identityOf(ada.id);
    await store.write(({ externalIdentities }) => externalIdentities.put(identity));
    const failing = store.write(async ({ externalIdentities, users }) => {
      await externalIdentities.put({ ...identity, subject: 'another' });
      await users.remove(ada.id);
      throw new Error('on purpose');
    });
    await assert.rejects(failing, /on purpose/);
    const find = () =>
      store.read(({ externalIdentities }) => externalIdentities.find('ldap', identity.subject));
    assert.deepEqual(await find(), identity);
    await store.write(({ users }) => users.remove(ada.id));
    assert.equal(await find(), undefined);
  });

  test('a user of a provider has a role without a password here', async (t) => {
    const store = await make(t);
    const more = { passwordHash: undefined, administrator: true };
    const [ada, ben] = [
      await addUser(store, 'ada', { ...more, provider: 'ldap' }),
      await addUser(store, 'ben', more),
    ];
    await store.read(async ({ roles }) => {
      assert.equal(await roles.of(ada.id), 'administrator');
      assert.equal(await roles.of(ben.id), undefined);
      assert.equal(await roles.hasAdministrator(), true);
    });
  });
}
