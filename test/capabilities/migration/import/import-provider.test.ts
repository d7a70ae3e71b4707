import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openSqlite } from '../../../service/stores.ts';
import { MD4, ndjson, onFolder } from './importing.ts';

const LARA = {
  ...{ name: 'lara', administrator: false, disabled: false },
  ...{ provider: 'ldap', subject: '0b1c-2d', providerGroups: ['crew'], role: 'auditor', groups: ['crew'] },
};

test('users of a directory and of a provider come out of an export and into another store as they were', async (t) => {
  const [from, to] = [await onFolder(t), await onFolder(t)];
  const otto = { name: 'otto', administrator: true, disabled: true, provider: 'office', subject: 'x|1' };
  const lines = ndjson({ group: 'crew', displayName: 'crew' }, LARA, otto);
  const came = await from.importOf(lines);
  assert.deepEqual([came.stdout, came.stderr], ['Added 2 users.\nAdded or changed 1 group.\n', '']);
  const exported = await from.usersCommand('export');
  assert.deepEqual([exported.stdout, exported.stderr], [lines, '']);
  await to.importOf(exported.stdout);
  assert.equal((await to.usersCommand('export')).stdout, exported.stdout);
  const kept = await to.kept('lara');
  assert.deepEqual([kept?.provider, kept?.passwordHash], ['ldap', undefined]);
  const store = openSqlite(to.data);
  const identity = await store.read((unit) => unit.externalIdentities.find('ldap', '0b1c-2d'));
  await store.close();
  assert.deepEqual([identity?.userId, identity?.groups], [kept?.id, ['crew']]);
});

test('a line about a provider that cannot be is refused with its mend', async (t) => {
  const { importOf } = await onFolder(t);
  await importOf(ndjson(LARA, { ...MD4, name: 'ben' }));
  const refused = async (line: object, why: RegExp) => {
    const { stderr, code } = await importOf(ndjson(line), '--update');
    assert.match(stderr, why);
    assert.equal(code, 1);
  };
  const { subject: _, ...half } = LARA;
  await refused({ ...half, name: 'x' }, /has "provider" or "subject" alone: give both/);
  await refused({ ...LARA, name: 'x', provider: 'LDAP' }, /"provider" is not of the form/);
  await refused({ ...LARA, ...MD4, name: 'x' }, /has a password and a provider/);
  await refused({ ...LARA, name: 'x', subject: '' }, /alone: give both/);
  await refused({ ...LARA, name: 'x' }, /has the subject of another user here/);
  await refused({ ...LARA, subject: 'other' }, /another person of ldap/);
  await refused({ ...LARA, provider: 'office' }, /belongs to office, and the user here to ldap/);
  await refused({ ...LARA, name: 'ben', role: undefined, subject: 'b' }, /and the user here is a local one/);
  await refused(
    { ...MD4, name: 'lara', role: 'auditor' },
    /has no provider, and the user here belongs to ldap/,
  );
});

test('an update of a user of a directory changes its profile and state, and gives it no password', async (t) => {
  const { importOf, kept } = await onFolder(t);
  await importOf(ndjson(LARA));
  const { stdout } = await importOf(
    ndjson({ ...LARA, disabled: true, email: 'lara@example.org' }),
    '--update',
  );
  assert.equal(stdout, 'Added 0 users.\nUpdated 1 user.\n');
  const user = await kept('lara');
  assert.deepEqual([user?.disabled, user?.passwordHash, user?.provider], [true, undefined, 'ldap']);
});

test('external ids of users and groups come out of an export and into another store, each once', async (t) => {
  const [from, to] = [await onFolder(t), await onFolder(t)];
  const nora = { ...MD4, name: 'nora' };
  await from.importOf(ndjson({ group: 'crew', displayName: 'crew' }, nora));
  const given = [
    { group: 'crew', externalId: 'g-1' },
    { ...nora, externalId: 'n-1' },
  ];
  const updated = await from.importOf(ndjson(...given), '--update');
  assert.match(updated.stdout, /Updated 1 user\.\nAdded or changed 1 group/);
  const exported = (await from.usersCommand('export')).stdout;
  assert.match(exported, /"externalId":"g-1"[\s\S]*"externalId":"n-1"/);
  await to.importOf(ndjson(...given));
  const store = openSqlite(to.data);
  const kept = await store.read(async ({ externalIds, users, groups }) => {
    const [user] = await externalIds.find('user', 'n-1');
    const [group] = await externalIds.find('group', 'g-1');
    return [(await users.find(user ?? 0))?.name, (await groups.find(group ?? 0))?.name];
  });
  await store.close();
  assert.deepEqual(kept, ['nora', 'crew']);
  const refused = await to.importOf(
    ndjson({ ...MD4, name: 'ben', externalId: 'n-1' }, { group: 'x', externalId: 'g-1' }),
  );
  assert.match(refused.stderr, /line 1: cannot be: another user has this externalId already/);
  assert.match(refused.stderr, /cannot be: another group has this externalId already/);
});

test('an external id has the length that SCIM allows, by a file too', async (t) => {
  const { importOf, kept } = await onFolder(t);
  const [longest, longer] = ['i'.repeat(1_024), 'i'.repeat(1_025)];
  const lines = ndjson(
    { ...MD4, name: 'nora', externalId: longest },
    { ...MD4, name: 'ben', externalId: longer },
  );
  const { stderr } = await importOf(lines);
  assert.match(stderr, /line 2: cannot be: externalId has 1 to 1024 characters/);
  assert.deepEqual([(await kept('nora'))?.name, await kept('ben')], ['nora', undefined]);
});

test('a file does not disable the last administrator: that line is refused, and nothing of it stays', async (t) => {
  const { importOf, kept } = await onFolder(t);
  const boss = { ...MD4, name: 'boss', administrator: true };
  await importOf(ndjson(boss));
  const disabled = { ...boss, disabled: true, email: 'boss@example.org', externalId: 'b-1' };
  const { stderr, stdout } = await importOf(ndjson(disabled, { ...MD4, name: 'ann' }), '--update');
  assert.match(stderr, /line 1: cannot be: this would leave no administrator/);
  assert.match(stdout, /Added 1 user/);
  assert.deepEqual([(await kept('boss'))?.disabled, (await kept('ann'))?.name], [false, 'ann']);
  await importOf(ndjson({ ...MD4, name: 'second', administrator: true }, disabled), '--update');
  assert.equal((await kept('boss'))?.disabled, true);
});

test('a line with a new group whose name looks like that of another is refused alone', async (t) => {
  const { importOf, kept } = await onFolder(t);
  await importOf(ndjson({ group: 'staff' }));
  const { stderr } = await importOf(
    ndjson({ ...MD4, name: 'ann', groups: ['\uff53taff'] }, { ...MD4, name: 'ben', groups: ['staff'] }),
  );
  assert.match(stderr, /line 1: cannot be: the name looks like that of the group "staff"/);
  assert.deepEqual([await kept('ann'), (await kept('ben'))?.name], [undefined, 'ben']);
});
