import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { addUser } from '../../../../src/capabilities/people/rules/bring-user.ts';
import { provisionExternalUserIn } from '../../../../src/capabilities/people/rules/external-users.ts';
import { addGroup } from '../../../../src/capabilities/people/rules/groups.ts';
import { faultOfNameOfUser } from '../../../../src/capabilities/people/rules/new-names.ts';
import { renameUser } from '../../../../src/capabilities/people/rules/users.ts';
import { isRefusal } from '../../../../src/core/domain/refusal.ts';
import { newUser, userKey } from '../../../../src/core/domain/user.ts';
import type { Store } from '../../../../src/core/storage/store.ts';
import { openMemory } from '../../../engines/memory/open.ts';

const STATE = {
  passwordHash: 'hash',
  mustChangePassword: false,
  disabled: false,
  role: undefined,
  profile: {},
};
const keyOf = (name: string) => userKey(name);

const add = (store: Store, name: string) =>
  store.write((unit) => addUser(unit, { name, key: keyOf(name), ...STATE }));

/** Adds a user as an older version did, which had fewer rules. */
const addOlder = (store: Store, name: string) =>
  store.write(({ users }) => users.add(newUser(name, { namesCaseSensitive: false, passwordHash: 'hash' })));

async function withUsers(t: TestContext, ...names: readonly string[]) {
  const store = openMemory();
  t.after(() => store.close());
  for (const name of names) await addOlder(store, name);
  return store;
}

const why = (outcome: object) => (isRefusal(outcome) ? `${outcome.detail}` : assert.fail('it is allowed'));

const BLANKS = [' ', '\u00a0', '\u2003', '\u3000', '\u2800', '\u3164', '\u115f', '\u034f'];

test('no new user has a blank at an end of the name, whatever the blank, and one inside is allowed', async (t) => {
  const store = await withUsers(t);
  for (const blank of BLANKS) {
    for (const name of [`${blank}anna`, `anna${blank}`, blank])
      assert.match(
        why(await add(store, name)),
        /begins or ends with a blank: take it off/,
        JSON.stringify(name),
      );
  }
  assert.ok(!isRefusal(await add(store, 'anna maria')));
});

test('no new user is called . or .., which no page can show', async (t) => {
  const store = await withUsers(t);
  for (const name of ['.', '..'])
    assert.match(why(await add(store, name)), /called \. or \.\.: choose another name/);
  for (const name of ['...', '.anna', 'anna.']) assert.ok(!isRefusal(await add(store, name)), name);
});

const PAIRS = [
  ['anna', 'ａｎｎａ'],
  ['anna', 'ＡNNA'],
  ['office', 'oﬃce'],
  ['strasse', 'straße'],
  ['γιώργος', 'γιώργοσ'],
  ['mass', 'maſs'],
  ['k2', 'k²'],
  ['a b', 'a\u00a0b'],
] as const;

test('no new user has a name that looks like that of another user, whichever was there first', async (t) => {
  for (const [first, second] of [...PAIRS, ...PAIRS.map(([one, two]) => [two, one] as const)]) {
    const store = await withUsers(t, first);
    const refused = why(await add(store, second));
    assert.match(
      refused,
      new RegExp(`looks like that of the user "${first}".*: choose another name`),
      second,
    );
    // The very name is taken, and is told so.
    assert.match(why(await add(store, first)), /there is a user .* already/);
  }
});

test('names that only resemble each other are two names', async (t) => {
  const store = await withUsers(t, 'anna', 'müller', 'pass');
  for (const name of ['hanna', 'mueller', 'muller', 'pas', 'аnna', 'anna2'])
    assert.ok(!isRefusal(await add(store, name)), name);
});

test('where names differ by case, names that differ by it alone are two names still', async (t) => {
  const store = await withUsers(t);
  const faultOf = (name: string) => store.write((unit) => faultOfNameOfUser(unit, name));
  await store.write(async ({ users }) => {
    await users.setNamesCaseSensitive(true);
    await users.add(newUser('Anna', { namesCaseSensitive: true, passwordHash: 'hash' }));
  });
  assert.equal(await faultOf('anna'), undefined);
  assert.equal(await faultOf('ANNA'), undefined);
  assert.match((await faultOf('Ａnna')) ?? '', /looks like that of the user "Anna"/);
  assert.equal(await faultOf('ａnna'), undefined);
});

test('a user is renamed to no such name, and may write its own name in another way', async (t) => {
  const store = await withUsers(t, 'anna', 'ben', 'straße');
  const rename = (from: string, to: string) =>
    store.write(async (unit) => {
      const user = (await unit.users.findByKey(from)) ?? assert.fail(from);
      return renameUser(unit, user, to, keyOf(to));
    });
  for (const to of ['ａｎｎａ', 'ben ', '..']) why(await rename('ben', to));
  assert.ok(!isRefusal(await rename('straße', 'Strasse')));
  assert.ok(!isRefusal(await rename('ben', 'Ben')));
});

const person = (name: string) => ({ provider: 'ldap', subject: `s-${name}`, name, profile: {}, groups: [] });
const RULES = {
  namesCaseSensitive: false,
  addsUsers: true,
  takesLocalNames: false,
  takeOvers: [],
  roleGroups: [],
};

const provision = (store: Store, name: string, subject = `s-${name}`) =>
  store.write((unit) => provisionExternalUserIn(unit, { ...person(name), subject }, RULES, { at: 1 }));

test('a person of a provider becomes no user of such a name, and is not renamed to one', async (t) => {
  const store = await withUsers(t, 'anna');
  assert.deepEqual(await provision(store, 'ａｎｎａ'), {
    refused: 'the name of another user in other characters',
  });
  for (const name of ['ben ', '.'])
    assert.deepEqual(await provision(store, name), { refused: 'a name that no user can have here' });
  assert.ok('user' in (await provision(store, 'ben')));
  for (const name of ['ａｎｎａ', 'ben\u3000'])
    assert.ok('refused' in (await provision(store, name, 's-ben')), name);
});

test('a person who was such a user before stays that user', async (t) => {
  const store = await withUsers(t);
  for (const name of ['.', 'ben ']) {
    const { id } = (await addOlder(store, name)) ?? assert.fail(name);
    await store.write(({ externalIdentities }) =>
      externalIdentities.put({
        ...{ userId: id, provider: 'ldap', subject: `s-${name}`, groups: [], checkedAt: 0 },
        disabledThere: false,
      }),
    );
    const outcome = await provision(store, name);
    assert.equal('user' in outcome ? outcome.user.id : outcome.refused, id);
  }
});

test('no new group is called . or .., or has a name that looks like that of another group', async (t) => {
  const store = await withUsers(t);
  const addNamed = (name: string) => store.write((unit) => addGroup(unit, name));
  assert.ok(!isRefusal(await addNamed('staff')));
  assert.match(why(await addNamed('ｓｔａｆｆ')), /looks like that of the group "staff"/);
  assert.match(why(await addNamed('ＥＶＥＲＹＯＮＥ')), /looks like that of the group "EVERYONE"/);
  for (const name of ['.', '..', 'GROUP_..']) assert.match(why(await addNamed(name)), /called \. or \.\./);
  assert.match(why(await addNamed('Staff')), /there is a group "staff" already/);
});
