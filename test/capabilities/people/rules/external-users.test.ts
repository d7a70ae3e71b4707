import assert from 'node:assert/strict';
import { test } from 'node:test';
import { provisionExternalUser } from '../../../../src/capabilities/people/external-user.ts';
import { disableExternalUser } from '../../../../src/capabilities/people/rules/external-users.ts';
import type { ExternalPerson } from '../../../../src/core/domain/external-identity.ts';
import { newGroup } from '../../../../src/core/domain/group.ts';
import { newUser, type User } from '../../../../src/core/domain/user.ts';
import type { Store } from '../../../../src/core/storage/store.ts';
import type { TakeOver } from '../../../../src/core/storage/take-over.ts';
import { openMemory } from '../../../engines/memory/open.ts';

const RULES = {
  ...{ namesCaseSensitive: false, addsUsers: true, takesLocalNames: false },
  takeOvers: [] as readonly TakeOver[],
  roleGroups: [] as readonly string[],
};
const AT = Date.UTC(2026, 1, 3);

const anna = (more: Partial<ExternalPerson> = {}): ExternalPerson => ({
  ...{ provider: 'ldap', subject: 'id-1', name: 'anna' },
  ...{ profile: { firstName: 'Anna', email: 'anna@example.org' }, groups: ['Staff', 'Board'], ...more },
});

/** A store that counts its write units, and what they wrote. */
function counted() {
  const store = openMemory();
  let writes = 0;
  const counting: Store = {
    ...store,
    write: (work) => {
      writes += 1;
      return store.write(work);
    },
  };
  const provision = (person: ExternalPerson, rules: Partial<typeof RULES> = {}, at = AT) =>
    provisionExternalUser(counting, person, { ...RULES, ...rules }, { at, from: '192.0.2.1' });
  const user = async (...given: Parameters<typeof provision>): Promise<User> => {
    const provisioned = await provision(...given);
    assert.ok('user' in provisioned, JSON.stringify(provisioned));
    return provisioned.user;
  };
  const groups = async ({ id }: User) =>
    (await store.read((unit) => unit.groups.ofUser(id))).map(({ name }) => name);
  const events = async () =>
    (await store.read((unit) => unit.events.list({}))).map(({ kind, user: who, reason }) =>
      [kind, who, reason].filter((part) => part !== undefined).join(' '),
    );
  const addLocal = async (name: string, more: Partial<User> = {}) => {
    const local = { ...newUser(name, { namesCaseSensitive: false, passwordHash: 'hash' }), ...more };
    const added = await store.write(({ users }) => users.add(local));
    assert.ok(added);
    return added;
  };
  return { store, provision, user, groups, events, addLocal, writes: () => writes };
}

test('an unknown person becomes a user with profile and groups, and is found again without a write', async () => {
  const { store, user, groups, events, writes } = counted();
  const added = await user(anna());
  assert.equal(added.provider, 'ldap');
  assert.equal(added.passwordHash, undefined);
  assert.equal(added.administrator, false);
  assert.deepEqual(await store.read(({ profiles }) => profiles.find(added.id)), anna().profile);
  assert.deepEqual(await groups(added), ['Board', 'Staff']);
  assert.deepEqual((await events()).sort(), [
    'group-added GROUP_Board',
    'group-added GROUP_Staff',
    'group-joined anna GROUP_Board',
    'group-joined anna GROUP_Staff',
    'profile-changed anna firstName, email',
    'user-added anna first login by ldap',
  ]);
  assert.equal(writes(), 1);
  const again = anna({ groups: ['GROUP_staff', 'BOARD', 'Board'], profile: { email: 'anna@example.org' } });
  assert.deepEqual(await user(again), added);
  assert.equal(writes(), 1);
});

test('a profile follows the provider, and what the provider does not tell stays', async () => {
  const { store, user } = counted();
  const { id } = await user(anna());
  await store.write(({ profiles }) => profiles.put(id, { firstName: 'Anna', mobile: '1', email: 'x' }));
  await user(anna({ profile: { firstName: '', email: 'new@example.org', lastName: 'a\nb' } }));
  assert.deepEqual(await store.read(({ profiles }) => profiles.find(id)), {
    email: 'new@example.org',
    mobile: '1',
  });
});

test('the user leaves groups that the provider removed, and keeps those that an administrator gave', async () => {
  const { store, user, groups } = counted();
  const added = await user(anna());
  await store.write(async (unit) => {
    const own = await unit.groups.add({ name: 'Own', key: 'own', displayName: 'Own', role: undefined });
    await unit.groups.addUser(own?.id ?? 0, added.id);
  });
  await user(anna({ groups: ['Board', 'New', 'bad/name', 'EVERYONE', 'GROUP_ALFRESCO_ADMINISTRATORS'] }));
  assert.deepEqual(await groups(added), ['Board', 'New', 'Own']);
  await user(anna({ groups: undefined }));
  assert.deepEqual(await groups(added), ['Board', 'New', 'Own']);
  await user(anna({ groups: [] }));
  assert.deepEqual(await groups(added), ['Own']);
});

test('a role comes from the role that a group has here, if the settings name that group', async () => {
  const { store, user } = counted();
  await store.write((unit) =>
    unit.groups.add({ name: 'Board', key: 'board', displayName: 'Board', role: 'operator' }),
  );
  const named = { roleGroups: ['GROUP_BOARD'] };
  const { id } = await user(anna(), named);
  assert.equal(await store.read(({ roles }) => roles.of(id)), 'operator');
  await user(anna({ groups: ['Staff'] }), named);
  assert.equal(await store.read(({ roles }) => roles.of(id)), undefined);
});

test('nobody joins a group that gives a role, by itself or by one around it, unless the settings name it', async () => {
  const { store, user, groups, writes } = counted();
  await store.write(async (unit) => {
    const rulers = await unit.groups.add(newGroup('Rulers', { role: 'administrator' }));
    const outer = await unit.groups.add(newGroup('Outer'));
    const board = await unit.groups.add(newGroup('Board'));
    await unit.groups.addGroup(rulers?.id ?? 0, outer?.id ?? 0);
    await unit.groups.addGroup(outer?.id ?? 0, board?.id ?? 0);
  });
  const person = anna({ groups: ['Staff', 'board', 'GROUP_rulers'] });
  const added = await user(person);
  assert.deepEqual(await groups(added), ['Staff']);
  assert.equal(await store.read(({ roles }) => roles.of(added.id)), undefined);
  const before = writes();
  await user(person);
  assert.equal(writes(), before, 'the next login writes nothing');
  await user(person, { roleGroups: ['Board'] });
  assert.deepEqual(await groups(added), ['Board', 'Outer', 'Rulers', 'Staff']);
  await user(person);
  assert.deepEqual(await groups(added), ['Board', 'Outer', 'Rulers', 'Staff'], 'who has joined stays');
  await user(anna({ groups: [] }));
  assert.deepEqual(await groups(added), []);
});

test('a new group whose name looks like that of another one is left out, and the person enters', async () => {
  const { store, user, groups } = counted();
  await store.write((unit) => unit.groups.add(newGroup('Sales')));
  const added = await user(anna({ groups: ['Ｓales', 'Staff', 'Ｓtaff', 'Everyone'] }));
  assert.deepEqual(await groups(added), ['Staff']);
});

test('a renamed person is the same user, and the next person with the old name is another one', async () => {
  const { user, events } = counted();
  const first = await user(anna());
  const renamed = await user(anna({ name: 'Anna.Berg' }));
  assert.deepEqual(renamed, { ...first, name: 'Anna.Berg', key: 'anna.berg' });
  assert.ok((await events()).includes('user-renamed Anna.Berg was anna at ldap before'));
  const second = await user(anna({ subject: 'id-2' }));
  assert.notEqual(second.id, first.id);
  assert.equal(second.name, 'anna');
});

test('a name that another user has is refused, also if that user is local', async () => {
  const { provision, user, addLocal, store } = counted();
  await addLocal('anna');
  assert.deepEqual(await provision(anna()), { refused: 'the name of a local user' });
  await user(anna({ name: 'ben' }));
  assert.deepEqual(await provision(anna({ name: 'ben', subject: 'id-2' })), {
    refused: 'the name of another person of ldap here',
  });
  assert.deepEqual(await provision(anna({ name: 'BEN', provider: 'keycloak' })), {
    refused: 'the name of a user of another provider',
  });
  assert.deepEqual(await provision(anna({ name: 'ANNA' })), {
    refused: 'renamed at ldap to the name of another user here',
  });
  assert.equal(await store.read(({ users }) => users.count()), 2);
});

test('a name that was removed here, and a name that no user can have, are not added', async () => {
  const { provision, user, store } = counted();
  const { id } = await user(anna());
  await store.write(({ users }) => users.remove(id));
  for (const subject of ['id-1', 'id-2'])
    assert.deepEqual(await provision(anna({ subject })), { refused: 'removed here' });
  for (const name of ['a:b', '', 'TICKET_x', '-me-', 'a\nb'])
    assert.deepEqual(await provision(anna({ name })), { refused: 'a name that no user can have here' }, name);
  assert.deepEqual(await provision(anna({ name: 'Guest' })), { refused: 'the name of the guest' });
  assert.deepEqual(await provision(anna({ name: 'ben' }), { addsUsers: false }), { refused: 'no user here' });
});

test('a local user without a role is taken over if the settings say so, and its tickets end', async () => {
  const { provision, user, addLocal, store, events } = counted();
  const local = await addLocal('anna', { mustChangePassword: true });
  const admin = await addLocal('root', { administrator: true });
  const auditor = await addLocal('ann');
  await store.write(({ roles }) => roles.give(auditor.id, 'auditor'));
  const takes = { takesLocalNames: true };
  const taken = await user(anna(), takes);
  assert.deepEqual(taken, {
    ...local,
    provider: 'ldap',
    passwordHash: undefined,
    mustChangePassword: false,
    generation: local.generation + 1,
  });
  assert.ok((await events()).includes('user-taken-over anna by ldap'));
  for (const { name } of [admin, auditor])
    assert.deepEqual(await provision(anna({ name, subject: name }), takes), {
      refused: 'the name of a local user with a role',
    });
});

test('a rename at the provider does not lead to a name that was removed here, but its own one may be spelled anew', async () => {
  const { store, provision, user, addLocal } = counted();
  const ben = await addLocal('ben');
  await store.write(({ users }) => users.remove(ben.id));
  const { id } = await user(anna());
  assert.deepEqual(await provision(anna({ name: 'Ben' })), {
    refused: 'renamed at ldap to a name that was removed here',
  });
  assert.equal((await store.read(({ users }) => users.find(id)))?.name, 'anna');
  await store.write(({ users }) => users.rename(id, 'ben', 'ben'));
  assert.equal((await user(anna({ name: 'Ben' }))).name, 'Ben');
});

test('with a local user that is taken over goes what capabilities say, which another person may have', async () => {
  const { user, addLocal, store, events } = counted();
  const { id } = await addLocal('anna');
  const owners: (string | undefined)[] = [];
  const takeOvers: readonly TakeOver[] = [
    async ({ users }, { name }) => {
      const there = await users.find(id);
      owners.push(name, there?.provider);
      return { events: [{ kind: 'app-password-removed', user: name, reason: 'mail' }] };
    },
  ];
  assert.equal((await user(anna(), { takesLocalNames: true, takeOvers })).id, id);
  assert.deepEqual(owners, ['anna', undefined]);
  assert.ok((await events()).includes('app-password-removed anna mail'));
  const undo: TakeOver = () => Promise.reject(new Error('no'));
  const ben = await addLocal('ben');
  const person = anna({ name: 'ben', subject: 'id-2' });
  await assert.rejects(user(person, { takesLocalNames: true, takeOvers: [undo] }), /no/);
  assert.equal((await store.read(({ users }) => users.find(ben.id)))?.provider, undefined);
});

test('a user disabled at its provider is enabled again by a login, and one disabled here is not', async () => {
  const { store, user, events } = counted();
  const added = await user(anna());
  const disable = () =>
    store.write((unit) => disableExternalUser(unit, added.id, 'disabled in the directory'));
  assert.equal((await disable()).events.length, 1);
  assert.equal((await disable()).events.length, 0);
  const disabled = await store.read(({ users }) => users.find(added.id));
  assert.deepEqual([disabled?.disabled, disabled?.generation], [true, added.generation + 1]);
  assert.equal((await user(anna())).disabled, false);
  assert.ok((await events()).includes('user-enabled anna'));
  await store.write(({ users }) => users.change(added.id, { disabled: true }));
  assert.equal((await disable()).events.length, 0);
  assert.equal((await user(anna())).disabled, true);
});

test('two first logins of one person at the same time make one user', async () => {
  const { store, user } = counted();
  const [one, other] = await Promise.all([user(anna()), user(anna())]);
  assert.deepEqual(one, other);
  assert.equal(await store.read(({ users }) => users.count()), 1);
});
