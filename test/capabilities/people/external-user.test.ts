import assert from 'node:assert/strict';
import { provisionExternalUser } from '../../../src/capabilities/people/external-user.ts';
import { openUntilEnd } from '../../engines/postgres/opened.ts';
import { testsOnPostgres } from '../../service/postgres.ts';

const test = await testsOnPostgres();

const RULES = {
  namesCaseSensitive: false,
  addsUsers: true,
  takesLocalNames: false,
  takeOvers: [],
  roleGroups: [],
};
const person = (subject: string, name: string, groups: readonly string[] = ['Staff']) => ({
  ...{ provider: 'ldap', subject, name, groups },
  profile: { email: `${name}@example.org` },
});

test('two instances that provision the same people at the same time make one user of each', async (t, server) => {
  const url = await server.freshSchema();
  const stores = [await openUntilEnd(t, url), await openUntilEnd(t, url)];
  const names = ['anna', 'ben', 'carl'];
  const settled = await Promise.all(
    stores.flatMap((store) =>
      names.map((name) => provisionExternalUser(store, person(`id of ${name}`, name), RULES, { at: 1 })),
    ),
  );
  for (const [at, name] of names.entries()) {
    const [one, other] = [settled[at], settled[at + names.length]];
    assert.ok(one !== undefined && 'user' in one, name);
    assert.deepEqual(one, other);
  }
  const [store = assert.fail()] = stores;
  await store.read(async ({ users, groups }) => {
    assert.equal(await users.count(), names.length);
    for (const user of await users.list())
      assert.deepEqual(
        (await groups.ofUser(user.id)).map(({ name }) => name),
        ['Staff'],
      );
  });
});

test('of two people with one new name, one gets it', async (t, server) => {
  const url = await server.freshSchema();
  const stores = [await openUntilEnd(t, url), await openUntilEnd(t, url)];
  const settled = await Promise.all(
    stores.map((store, at) => provisionExternalUser(store, person(`id-${at}`, 'anna'), RULES, { at: 1 })),
  );
  assert.deepEqual(settled.map((outcome) => 'user' in outcome).sort(), [false, true]);
  const refused = settled.find((outcome) => 'refused' in outcome);
  assert.deepEqual(refused, { refused: 'the name of another person of ldap here' });
});
