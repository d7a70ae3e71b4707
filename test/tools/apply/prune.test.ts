import assert from 'node:assert/strict';
import { test } from 'node:test';
import { disableExternalUser } from '../../../src/capabilities/people/rules/external-users.ts';
import { openSqlite } from '../../service/stores.ts';
import { applying, diffOf, digestOf } from './applying.ts';

const named = (...names: readonly string[]) => names.map((name) => ({ name }));
const boss = { name: 'boss', role: 'administrator' };

test('--prune removes what the lists of the file do not name, with the events; without it all stays', async (t) => {
  const { apply, state, events } = await applying(t);
  const keyNamed = (name: string, digit: string) => ({ name, role: 'auditor', digest: digestOf(digit) });
  await apply({
    groups: named('a', 'b', 'c'),
    users: [boss, { name: 'ann', groups: ['c'] }, { name: 'ben' }],
    clients: ['x', 'y', 'z'].map((name) => ({ name, secretDigest: digestOf('a') })),
    apiKeys: [keyNamed('k', '1'), keyNamed('l', '2')],
  });
  const less = {
    groups: named('a', 'b'),
    users: [boss, { name: 'ann', groups: ['a'] }],
    apiKeys: [keyNamed('k', '1')],
  };
  const since = (await events()).length;
  assert.deepEqual(diffOf(await apply(less)), ['~ user "ann" groups: "c" → "a"']);
  const pruned = await apply(less, '--prune');
  assert.deepEqual(diffOf(pruned), ['- API key "l"', '- user "ben"', '- group "c"']);
  assert.match(pruned.stdout, /\nAdded 0, changed 0, removed 3\.\n$/);
  assert.deepEqual(
    (await events()).slice(since).map(({ event }) => event),
    ['group-left', 'group-joined', 'api-key-removed', 'user-removed', 'group-removed'],
  );
  // The file has no list of clients, so no client is removed.
  assert.equal((await state()).clients?.length, 3);
});

test('--prune that would remove more than half is refused, and --prune-many does it', async (t) => {
  const { apply } = await applying(t);
  await apply({ groups: named('a', 'b', 'c', 'd') });
  assert.equal((await apply({ groups: named('a', 'b') }, '--prune')).code, 0);
  await apply({ groups: named('a', 'b', 'c') });
  const most = await apply({ groups: named('a') }, '--prune');
  assert.deepEqual([most.code, most.stdout], [1, '']);
  assert.equal(
    most.stderr,
    'Refused: --prune would remove 2 of 3 groups. If the file is whole, give --prune-many too.\n',
  );
  assert.deepEqual(diffOf(await apply({ groups: named('a') }, '--prune-many')), [
    '- group "b"',
    '- group "c"',
  ]);
});

test('a user who was removed is added again, and the differences say that it was', async (t) => {
  const { apply, tessera } = await applying(t);
  const document = { users: [boss, { name: 'ann', disabled: true }] };
  await apply(document);
  await tessera('users remove ann');
  assert.deepEqual(diffOf(await apply(document)), [
    '+ user "ann" (removedBefore: true; disabled: true; password: "not set")',
  ]);
});

test('the last administrator is neither removed nor disabled nor demoted, but may hand over in one file', async (t) => {
  const { apply, shown } = await applying(t);
  await apply({ users: [boss, { name: 'ann' }] });
  const attempts = [
    [{ users: named('ann') }, '--prune'],
    [{ users: [{ name: 'boss', role: 'none' }] }, ''],
    [{ users: [{ name: 'boss', disabled: true }] }, ''],
    [{ users: [{ name: 'boss', locked: true }] }, '--dry-run'],
  ] as const;
  for (const [document, flags] of attempts) {
    const { code, stderr } = await apply(document, flags);
    assert.equal(code, 1);
    assert.match(
      stderr,
      /^Refused: this would leave no administrator who can sign in\. Name one in the file/,
    );
  }
  assert.equal((await shown('users show boss')).state, 'active');
  const handed = await apply({ users: [{ name: 'ann', role: 'administrator' }] }, '--prune');
  assert.deepEqual(diffOf(handed), ['~ user "ann" role: none → "administrator"', '- user "boss"']);
});

/** Lets a provider give a user a group, and a provisioning system another group and another user. */
async function keepElsewhere(data: string): Promise<void> {
  const store = openSqlite(data);
  await store.write(async (unit) => {
    const [lea, max] = [await unit.users.findByKey('lea'), await unit.users.findByKey('max')];
    const [there, scim] = [await unit.groups.findByKey('there'), await unit.groups.findByKey('scim')];
    const identity = lea && (await unit.externalIdentities.ofUser(lea.id));
    assert.ok(lea && max && there && scim && identity);
    await unit.externalIdentities.put({ ...identity, groups: ['There'] });
    for (const group of [there, scim]) await unit.groups.addUser(group.id, lea.id);
    await unit.externalIds.put('user', max.id, 'id-of-max');
    await unit.externalIds.put('group', scim.id, 'id-of-scim');
  });
  await store.close();
}

test('users and groups of a provider or of SCIM are not pruned, nor taken from their users, nor added twice', async (t) => {
  const { apply, data, shown } = await applying(t);
  const lea = { name: 'lea', provider: 'ldap', subject: 's' };
  await apply({ users: [boss, lea, { name: 'max' }], groups: named('there', 'scim', 'here') });
  await keepElsewhere(data);
  const document = {
    users: [boss, { name: 'lea', groups: ['here', 'there'] }],
    groups: named('here', 'there'),
  };
  assert.deepEqual(diffOf(await apply(document, '--prune')), ['~ user "lea" groups: none → "here", "there"']);
  assert.match((await apply(document, '--prune')).stdout, /^Nothing to change/);
  assert.deepEqual((await shown('users show lea')).groups, ['here', 'scim', 'there']);
  const none = await apply({ users: [boss], groups: named('here') }, '--prune');
  assert.match(none.stdout, /^Nothing to change/);
});

test('a user whom its provider disabled is not enabled, and profiles that others keep are not saved', async (t) => {
  const { apply, data, shown, state } = await applying(t);
  const lea = { name: 'lea', provider: 'ldap', subject: 's' };
  await apply({
    users: [boss, { ...lea, firstName: 'Lea' }, { name: 'max', firstName: 'Max' }],
    groups: named('there', 'scim'),
  });
  await keepElsewhere(data);
  const store = openSqlite(data);
  await store.write(async (unit) =>
    disableExternalUser(unit, (await unit.users.findByKey('lea'))?.id ?? 0, 'gone'),
  );
  await store.close();
  assert.match((await apply({ users: [{ name: 'lea', disabled: false }] })).stdout, /^Nothing to change/);
  assert.equal((await shown('users show lea')).state, 'disabled');
  const { users = [] } = await state();
  assert.deepEqual(
    users.filter(({ name }) => name === 'lea'),
    [{ ...lea, role: 'none', groups: [] }],
  );
  assert.deepEqual(Object.keys(users.find(({ name }) => name === 'max') ?? {}), [
    'name',
    'role',
    'groups',
    'passwordHash',
  ]);
});

test('--prune removes applications that their list lacks, and the list of clients says nothing of them', async (t) => {
  const { apply, events } = await applying(t);
  const settings = { redirectUris: ['https://wiki.example.org/'], public: true };
  const wiki = { name: 'wiki', settings };
  await apply({
    clients: [{ name: 'x', secretDigest: digestOf('a') }],
    applications: [wiki, { name: 'old', settings }],
  });
  assert.deepEqual(diffOf(await apply({ clients: [] }, '--prune')), ['- client "x"']);
  assert.deepEqual(diffOf(await apply({ applications: [wiki] }, '--prune')), ['- application "old"']);
  const { event, reason } = (await events()).at(-1) ?? {};
  assert.deepEqual([event, reason], ['application-removed', 'old']);
});

test('a client that becomes an application is neither pruned nor loses its secret', async (t) => {
  const { apply, state } = await applying(t);
  await apply({ clients: [{ name: 'wiki', secretDigest: digestOf('a') }] });
  const wiki = { name: 'wiki', settings: { redirectUris: ['https://wiki.example.org/'] } };
  const became = await apply({ clients: [], applications: [wiki] }, '--prune');
  assert.deepEqual(diffOf(became), ['+ application "wiki" (redirectUris: "https://wiki.example.org/")']);
  assert.deepEqual((await state()).applications, [{ ...wiki, secretDigest: digestOf('a') }]);
});
