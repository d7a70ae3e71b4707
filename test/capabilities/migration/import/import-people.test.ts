import assert from 'node:assert/strict';
import { test } from 'node:test';
import { tesseraOn } from '../../../faces/cli/command.ts';
import { PASSWORD, startTestService } from '../../../service/start.ts';
import { ask, logIn } from '../../../service/talk.ts';
import { MD4, ndjson, onFolder } from './importing.ts';

const linesOf = (text: string) =>
  text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));

test('profiles, roles and nested groups come out of an export and into another store as they were', async (t) => {
  const [from, to] = [await onFolder(t), await onFolder(t)];
  const came = await from.importOf(
    ndjson(
      { group: 'zoo', displayName: 'The zoo', role: 'auditor' },
      { group: 'all' },
      { group: 'ape', displayName: 'Apes', groups: ['ZOO', 'GROUP_all'] },
      {
        ...MD4,
        name: 'ann',
        role: 'operator',
        firstName: 'Ann',
        email: 'ann@example.org',
        groups: ['ape', 'all'],
      },
      { ...MD4, name: 'root', administrator: true, lastName: 'Núñez' },
    ),
  );
  assert.deepEqual([came.stdout, came.stderr], ['Added 2 users.\nAdded or changed 3 groups.\n', '']);
  const exported = (await from.usersCommand('export')).stdout;
  assert.deepEqual(linesOf(exported), [
    { group: 'all', displayName: 'all' },
    { group: 'zoo', displayName: 'The zoo', role: 'auditor' },
    { group: 'ape', displayName: 'Apes', groups: ['all', 'zoo'] },
    {
      name: 'ann',
      administrator: false,
      disabled: false,
      role: 'operator',
      firstName: 'Ann',
      email: 'ann@example.org',
      groups: ['all', 'ape'],
    },
    { name: 'root', administrator: true, disabled: false, lastName: 'Núñez' },
  ]);
  await to.importOf(exported, '--without-hash');
  assert.equal((await to.usersCommand('export')).stdout.replace(/"passwordHash":"[^"]*",/g, ''), exported);
});

test('a person as the reference shows it is imported: its names of fields, nulls, and groups with display names', async (t) => {
  const { importOf, usersCommand } = await onFolder(t);
  const person = {
    url: '/alfresco/service/api/people/ann',
    userName: 'ann',
    enabled: true,
    firstName: 'Ann',
    lastName: null,
    jobtitle: 'Clerk',
    organization: '',
    persondescription: 'Likes tea',
    companyemail: 'office@example.org',
    quota: -1,
    isAdminAuthority: false,
    capabilities: { isAdmin: false, isGuest: false, isMutable: true },
    groups: [
      { itemName: 'GROUP_EVERYONE', displayName: 'EVERYONE' },
      { itemName: 'GROUP_site_swsdp', displayName: 'Sample site' },
    ],
  };
  assert.equal((await importOf(ndjson({ ...MD4, ...person }))).stderr, '');
  const [group, user] = linesOf((await usersCommand('export')).stdout);
  assert.deepEqual(group, { group: 'site_swsdp', displayName: 'Sample site' });
  assert.deepEqual(user, {
    name: 'ann',
    administrator: false,
    disabled: false,
    firstName: 'Ann',
    jobTitle: 'Clerk',
    description: 'Likes tea',
    groups: ['site_swsdp'],
  });
});

test('a person as this service shows it is imported with its profile and groups; a deleted one is refused', async (t) => {
  const { url, addUser, data } = await startTestService(t);
  await addUser('ann', { password: PASSWORD });
  const tessera = tesseraOn(data);
  await tessera(
    'users change ann --first-name Ann --job-title Clerk --description Tea --email ann@example.org',
  );
  await tessera('groups add staff --display-name Everybody');
  await tessera('groups join staff ann');
  const ticket = await logIn(url, 'ann', PASSWORD);
  const { text: body } = await ask(`${url}/api/people/ann?groups=true&alf_ticket=${ticket}`);
  const { importOf, usersCommand } = await onFolder(t);
  const person = JSON.parse(body);
  assert.equal((await importOf(ndjson({ ...MD4, ...person }))).stderr, '');
  const [group, user] = linesOf((await usersCommand('export')).stdout);
  assert.deepEqual(group, { group: 'staff', displayName: 'Everybody' });
  const { firstName, jobTitle, description, email, groups } = user;
  assert.deepEqual([firstName, jobTitle, description, email], ['Ann', 'Clerk', 'Tea', 'ann@example.org']);
  assert.deepEqual(groups, ['staff']);
  const deleted = await importOf(ndjson({ ...MD4, ...person, isDeleted: true }));
  assert.match(deleted.stderr, /^line 1: "isDeleted" is not of the form: false: leave out people who were/);
});

test('a CSV file has profiles, groups with commas between them, and rows for groups', async (t) => {
  const { importOf, usersCommand } = await onFolder(t);
  const csv = [
    'group,displayName,name,passwordHash,hashIndicator,jobTitle,groups',
    'staff,All staff,,,,,',
    `,,ann,${MD4.passwordHash},md4,Clerk,"staff, GROUP_more"`,
  ].join('\n');
  assert.equal((await importOf(csv, '--format', 'csv')).stdout, 'Added 1 user.\nAdded or changed 1 group.\n');
  const [more, staff, ann] = linesOf((await usersCommand('export')).stdout);
  assert.deepEqual(
    [more, staff],
    [
      { group: 'more', displayName: 'more' },
      { group: 'staff', displayName: 'All staff' },
    ],
  );
  assert.deepEqual([ann.jobTitle, ann.groups], ['Clerk', ['more', 'staff']]);
});

test('--update gives existing users what lines say of profile and groups, and takes them out of no group', async (t) => {
  const { importOf, usersCommand } = await onFolder(t);
  await importOf(
    ndjson(
      { ...MD4, name: 'ann', firstName: 'Ann', location: 'Lima', role: 'auditor', groups: ['a'] },
      { group: 'b' },
    ),
  );
  const update = async (...lines: readonly object[]) =>
    (await importOf(ndjson(...lines), '--update', '--without-hash')).stdout;
  const changed = { name: 'ann', firstName: 'Anna', location: '', groups: ['B'] };
  assert.equal(
    (await importOf(ndjson(changed), '--without-hash')).stdout,
    'Added 0 users.\nLeft 1 user unchanged.\n',
  );
  assert.equal(
    (await importOf(ndjson(changed), '--without-hash', '--update', '--dry-run')).stdout,
    'Would add 0 users.\nWould update 1 user.\n',
  );
  assert.equal(await update(changed), 'Added 0 users.\nUpdated 1 user.\n');
  assert.equal(await update(changed), 'Added 0 users.\nLeft 1 user unchanged.\n');
  assert.equal(
    await update({ group: 'b', displayName: 'Bees' }),
    'Added 0 users.\nAdded or changed 1 group.\n',
  );
  assert.equal(await update({ group: 'b', displayName: 'Bees' }), 'Added 0 users.\n');
  const [, bees, ann] = linesOf((await usersCommand('export')).stdout);
  assert.equal(bees.displayName, 'Bees');
  assert.deepEqual(
    [ann.firstName, ann.location, ann.role, ann.groups],
    ['Anna', undefined, 'auditor', ['a', 'b']],
  );
});

test('lines that would give an existing user or group another role, or close a circle, are refused and undone', async (t) => {
  const { importOf, usersCommand } = await onFolder(t);
  await importOf(
    ndjson({ group: 'a', role: 'auditor' }, { group: 'b', groups: ['a'] }, { ...MD4, name: 'ann' }),
  );
  const before = (await usersCommand('export')).stdout;
  const { stderr } = await importOf(
    ndjson(
      { group: 'a', role: 'administrator' },
      { group: 'a', groups: ['new', 'b'] },
      { ...MD4, name: 'ann', role: 'operator' },
      { group: 'everyone' },
      { group: 'c', role: 'boss' },
      { group: 'c', members: ['ann'] },
      { ...MD4, name: 'eve', groups: ['a/b'] },
      { ...MD4, name: 'eve', administrator: true, role: 'auditor' },
      { ...MD4, name: 'eve', location: 'a\tb' },
      { ...MD4, name: 'eve', email: 'x'.repeat(1_025) },
    ),
    '--update',
  );
  const told = [
    /^line 1: gives an existing group another role/,
    /^line 2: cannot be: "a" cannot join "b", which would then contain itself: b > a > b\./,
    /^line 3: gives an existing user another role/,
    /^line 4: has a group that cannot be: GROUP_EVERYONE is computed/,
    /^line 5: "role" is not of the form: one of auditor, operator, administrator/,
    /^line 6: is about a group, but not of its form/,
    /^line 7: has a group that cannot be: .* none of the characters/,
    /^line 8: has "administrator" and "role", which differ/,
    /^line 9: has a value that cannot be: location has a control character: give one line of text/,
    /^line 10: has a value that cannot be: email has 1025 bytes: give at most 1024/,
  ];
  const lines = stderr.split('\n');
  for (const pattern of told)
    assert.ok(
      lines.some((line) => pattern.test(line)),
      `${pattern} is not in ${stderr}`,
    );
  assert.equal((await usersCommand('export')).stdout, before);
});
