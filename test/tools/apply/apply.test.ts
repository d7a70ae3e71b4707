import assert from 'node:assert/strict';
import { truncateSync } from 'node:fs';
import { test } from 'node:test';
import { applying, diffOf, digestOf } from './applying.ts';

const WHOLE = {
  groups: [
    { name: 'staff', displayName: 'All staff', role: 'auditor' },
    { name: 'GROUP_editors', groups: ['Staff'] },
  ],
  users: [
    { name: 'boss', role: 'administrator' },
    { name: 'ben', email: 'ben@example.org', groups: ['editors'], disabled: true, locked: true },
    { name: 'lea', provider: 'ldap', subject: 's-1', role: 'operator' },
  ],
  clients: [{ name: 'gateway', secretDigest: digestOf('a') }],
  apiKeys: [{ name: 'ci', digest: digestOf('b'), role: 'auditor', expiresAt: '2099-01-31' }],
};

test('all that the file names is there after one run, with the events of it, and a second run does nothing', async (t) => {
  const { apply, shown, events } = await applying(t);
  const first = await apply(WHOLE);
  assert.equal(first.code, 0, first.stderr);
  assert.deepEqual(diffOf(first), [
    '+ client "gateway"',
    '+ API key "ci" (role: "auditor"; expiresAt: "2099-01-31T00:00:00.000Z")',
    '+ group "staff" (displayName: "All staff"; role: "auditor")',
    '+ group "editors" (groups: "Staff")',
    '+ user "boss" (role: "administrator"; password: "not set")',
    '+ user "ben" (disabled: true; locked: true; password: "not set"; email: "ben@example.org"; groups: "editors")',
    '+ user "lea" (role: "operator"; provider: "ldap")',
  ]);
  assert.match(first.stdout, /\nAdded 7, changed 0, removed 0\.\n$/);
  const ben = await shown('users show ben');
  assert.deepEqual([ben.email, ben.groups, ben.inheritedGroups], ['ben@example.org', ['editors'], ['staff']]);
  assert.equal((await shown('users show lea')).provider, 'ldap');
  const before = await events();
  assert.deepEqual(
    before.map(({ event, user, reason, from }) => [event, user ?? reason, from]),
    [
      ['client-added', 'gateway', 'command line'],
      ['api-key-added', 'ci: auditor', 'command line'],
      ['group-added', 'GROUP_staff, role auditor', 'command line'],
      ['group-added', 'GROUP_editors', 'command line'],
      ['group-joined', 'GROUP_editors in GROUP_staff', 'command line'],
      ['user-added', 'boss', 'command line'],
      ['user-added', 'ben', 'command line'],
      ['lock', 'ben', 'command line'],
      ['group-joined', 'ben', 'command line'],
      ['user-added', 'lea', 'command line'],
    ],
  );
  const second = await apply(WHOLE);
  assert.match(second.stdout, /^Nothing to change: all is as .*state\.json says\.\n$/);
  assert.deepEqual(await events(), before);
});

test('a change is shown with its old and its new value, and what the file does not name stays', async (t) => {
  const { apply, shown, events } = await applying(t);
  await apply(WHOLE);
  const [since, keys] = [(await events()).length, await shown('api-keys list')];
  const changed = await apply({
    groups: [
      { name: 'STAFF', role: 'none' },
      { name: 'editors', displayName: 'Editors', groups: [] },
    ],
    users: [
      {
        name: 'ben',
        disabled: false,
        locked: false,
        role: 'operator',
        firstName: 'Ben',
        email: '',
        groups: ['staff'],
      },
    ],
    clients: [{ name: 'gateway', secretDigest: digestOf('c') }],
    apiKeys: [{ name: 'ci', digest: digestOf('b'), role: 'operator' }],
  });
  assert.deepEqual(diffOf(changed), [
    '~ client "gateway" secret: "another one" → "that of the file"',
    '~ API key "ci" role: "auditor" → "operator"',
    '~ API key "ci" expiresAt: "2099-01-31T00:00:00.000Z" → none',
    '~ group "staff" role: "auditor" → none',
    '~ group "editors" displayName: "editors" → "Editors"',
    '~ group "editors" groups: "staff" → none',
    '~ user "ben" firstName: none → "Ben"',
    '~ user "ben" email: "ben@example.org" → none',
    '~ user "ben" role: none → "operator"',
    '~ user "ben" disabled: true → false',
    '~ user "ben" locked: true → false',
    '~ user "ben" groups: "editors" → "staff"',
  ]);
  assert.match(changed.stdout, /\nAdded 0, changed 5, removed 0\.\n$/);
  assert.deepEqual(
    (await events()).slice(since).map(({ event, reason }) => `${event} ${reason ?? ''}`.trim()),
    [
      ...[
        'client-removed gateway',
        'client-added gateway',
        'api-key-removed ci',
        'api-key-added ci: operator',
      ],
      ...['group-changed GROUP_staff: role none', 'group-changed GROUP_editors: displayName'],
      ...[
        'group-left GROUP_editors in GROUP_staff',
        'profile-changed firstName, email',
        'email-changed was ben@example.org before',
        'role-changed operator',
      ],
      ...['user-enabled', 'unlock', 'group-left GROUP_editors', 'group-joined GROUP_staff'],
    ],
  );
  // The key is the same, so it keeps the time when it was added.
  assert.deepEqual(await shown('api-keys list'), [{ name: 'ci', role: 'operator', added: keys[0].added }]);
  assert.equal((await shown('groups show staff')).displayName, 'All staff');
  assert.equal((await shown('users show boss')).role, 'administrator');
});

test('--dry-run shows what would change, with exit code 3, and writes nothing', async (t) => {
  const { apply, tessera, events } = await applying(t);
  const early = await apply(WHOLE, '--dry-run');
  assert.deepEqual([early.code, early.stdout], [1, '']);
  assert.match(early.stderr, /there is no database in it/);
  await tessera('groups add staff');
  const before = await events();
  const rehearsed = await apply(WHOLE, '--dry-run');
  assert.equal(rehearsed.code, 3);
  assert.match(rehearsed.stdout, /^~ group "staff" role: none → "auditor"$/m);
  assert.match(rehearsed.stdout, /\nWould add 6, change 1, remove 0\.\n$/);
  assert.match(rehearsed.stderr, /^Nothing is written/);
  assert.deepEqual(await events(), before);
  const { changes, dryRun } = JSON.parse((await apply(WHOLE, '--dry-run --json')).stdout);
  assert.equal(dryRun, true);
  assert.deepEqual(changes[0], { change: 'add', kind: 'client', name: 'gateway' });
  assert.equal(changes.length, 8);
  await apply(WHOLE);
  assert.deepEqual(await apply(WHOLE, '--dry-run --json'), {
    code: 0,
    stdout: '{"changes":[],"dryRun":true}\n',
    stderr: '',
  });
});

test('one entry that a rule forbids undoes all, tells its line, and a dry run finds it too', async (t) => {
  const { apply, tessera, events } = await applying(t);
  await tessera('users add guest --no-password');
  const before = await events();
  const circle = `{
    "users": [{"name": "ann"}],
    "groups": [
      {"name": "outer", "groups": ["inner"]},
      {"name": "inner", "groups": ["outer"]}
    ]
  }`;
  for (const flags of ['', '--dry-run']) {
    const { code, stdout, stderr } = await apply(circle, flags);
    assert.deepEqual([code, stdout], [1, '']);
    assert.match(
      stderr,
      /state\.json:5 \/groups\/1: "inner" cannot join "outer", which would then contain itself/,
    );
  }
  const guest = await apply({ users: [{ name: 'ann' }, { name: 'guest', role: 'operator' }] });
  assert.match(guest.stderr, /\/users\/1: a user without a password has no role/);
  assert.deepEqual(await events(), before);
});

test('groups may swap their places, since all leave before any joins', async (t) => {
  const { apply, shown } = await applying(t);
  await apply({ groups: [{ name: 'one' }, { name: 'two', groups: ['one'] }] });
  const swapped = await apply({
    groups: [
      { name: 'one', groups: ['two'] },
      { name: 'two', groups: [] },
    ],
  });
  assert.equal(swapped.code, 0, swapped.stderr);
  assert.deepEqual((await shown('groups show one')).isIn, ['two']);
});

test('every fault of the file is told with its line, and nothing is written', async (t) => {
  const { apply, tessera } = await applying(t);
  const faulty = `{
    "groups": [{"name": "a/b"}],
    "users": [
      {"name": "TICKET_1"},
      {"name": "ann", "passwordHash": "secret"},
      {"name": "ANN", "groups": ["EVERYONE"]},
      {"name": "bo", "provider": "ldap"}
    ],
    "clients": [{"name": "a b", "secretDigest": "${digestOf('0')}"}],
    "apiKeys": [
      {"name": "k", "role": "auditor", "digest": "${digestOf('1')}", "expiresAt": "soon"},
      {"name": "l", "role": "auditor", "digest": "${digestOf('1')}"}
    ],
    "gateRules": [{"path": "wiki", "allow": "none"}]
  }`;
  const { code, stderr } = await apply(faulty);
  assert.equal(code, 1);
  assert.deepEqual(
    stderr
      .match(/(?<=state\.json:)\d+ \S+(?=: )/g)
      ?.toSorted((a, b) => Number.parseInt(a, 10) - Number.parseInt(b, 10)),
    [
      ...['2 /groups/0/name', '4 /users/0/name', '5 /users/1/passwordHash', '6 /users/2/groups/0'],
      ...['6 /users/2', '7 /users/3', '9 /clients/0/name', '11 /apiKeys/0/expiresAt', '12 /apiKeys/1'],
      '14 /gateRules/0/path',
    ],
  );
  assert.doesNotMatch(stderr, /"secret"/);
  const typo = await apply('{\n  "users": [\n    {"name": "ann", "rôle": "auditor"}]}');
  assert.match(
    typo.stderr,
    /state\.json:3 \/users\/0\/rôle: is no member of this object, which may have name, /,
  );
  assert.match((await tessera('users list')).stderr, /there is no database/);
});

test('with - the file comes on standard input, and a fault has its line there', async (t) => {
  const { tessera } = await applying(t);
  const faulty = await tessera('apply -', '{"users": [\n{"name": "ann", "role": "chief"}]}');
  assert.match(faulty.stderr, /^standard input:2 \/users\/0\/role: must be equal to one of/);
  assert.match((await tessera('apply -', '{"users": [{"name": "ann"}]}')).stdout, /^\+ user "ann"/);
  assert.equal(
    (await tessera('apply -', '{"users": [{"name": "ann"}]}')).stdout,
    'Nothing to change: all is as the file says.\n',
  );
});

test('a file that does not fit into memory is refused before it is read, with what to do', async (t) => {
  const { apply, tessera, path } = await applying(t);
  await apply({ users: [{ name: 'ann' }] });
  truncateSync(path('state.json'), 2 ** 40);
  const { stderr, code } = await tessera(`apply ${path('state.json')}`);
  assert.equal(code, 1);
  assert.match(
    stderr,
    /state\.json has 1099511 MB, and \d+ MB are the most .* 'tessera users import --update'/,
  );
});

test('a group that will not exist is a fault, as is a name that differs from a stored one by case', async (t) => {
  const { apply } = await applying(t);
  await apply({ users: [{ name: 'ann' }], groups: [{ name: 'old' }] });
  const unknown = await apply({ users: [{ name: 'Ann', groups: ['old', 'nwe'] }] });
  assert.match(
    unknown.stderr,
    /\/users\/0\/groups\/1: names the group "nwe", which does not exist: add it to "groups"/,
  );
  assert.match(unknown.stderr, /\/users\/0\/name: differs from the name of the user "ann" only by case/);
  const pruned = await apply({ users: [{ name: 'ann', groups: ['old'] }], groups: [] }, '--prune');
  assert.match(pruned.stderr, /names the group "old", which --prune would remove/);
});

test('a user of a provider is added as that, and its provider cannot be changed by the file', async (t) => {
  const { apply } = await applying(t);
  await apply({ users: [{ name: 'lea', provider: 'ldap', subject: 's-1' }, { name: 'ben' }] });
  const other = await apply({
    users: [
      { name: 'lea', provider: 'ldap', subject: 's-2' },
      { name: 'ben', provider: 'ldap', subject: 's-3' },
    ],
  });
  assert.match(other.stderr, /\/users\/0: has another subject than the user here/);
  assert.match(other.stderr, /\/users\/1: belongs to ldap, and the user here is a local one/);
  assert.equal((await apply({ users: [{ name: 'lea', firstName: 'Lea' }] })).code, 0);
});

test('a digest of a stored API key gets no second name, unless the first is removed', async (t) => {
  const { apply } = await applying(t);
  const key = { digest: digestOf('d'), role: 'auditor' };
  await apply({ apiKeys: [{ ...key, name: 'old' }] });
  const second = await apply({ apiKeys: [{ ...key, name: 'new' }] });
  assert.match(second.stderr, /\/apiKeys\/0\/digest: is the digest of the API key "old"/);
  assert.deepEqual(diffOf(await apply({ apiKeys: [{ ...key, name: 'new' }] }, '--prune')), [
    '- API key "old"',
    '+ API key "new" (role: "auditor")',
  ]);
});

const WIKI = { redirectUris: ['https://wiki.example.org/'], claims: { groups: 'roles' } };

test('an application has the settings of the file, these and no others, and keeps its secret without a digest', async (t) => {
  const { apply, state, events } = await applying(t);
  const wiki = { name: 'wiki', secretDigest: digestOf('e'), settings: WIKI };
  const added = await apply({ applications: [wiki] });
  assert.deepEqual(diffOf(added), [
    '+ application "wiki" (redirectUris: "https://wiki.example.org/"; claims: "{\\"groups\\":\\"roles\\"}")',
  ]);
  assert.match((await apply({ applications: [wiki] })).stdout, /^Nothing to change/);
  const settings = { redirectUris: ['https://wiki.example.org/', 'https://w.example.org/'], trusted: true };
  const changed = await apply({ applications: [{ name: 'wiki', settings }] });
  assert.deepEqual(diffOf(changed), [
    '~ application "wiki" redirectUris: "https://wiki.example.org/" → "https://wiki.example.org/", "https://w.example.org/"',
    '~ application "wiki" claims: "{\\"groups\\":\\"roles\\"}" → none',
    '~ application "wiki" trusted: none → true',
  ]);
  assert.deepEqual((await state()).applications, [{ name: 'wiki', secretDigest: digestOf('e'), settings }]);
  const other = await apply({ applications: [{ name: 'wiki', secretDigest: digestOf('f'), settings }] });
  assert.deepEqual(diffOf(other), ['~ application "wiki" secret: "another one" → "that of the file"']);
  assert.deepEqual(
    (await events()).map(({ event, reason }) => `${event} ${reason}`),
    [
      ...['application-added wiki', 'application-changed wiki: redirectUris, claims, trusted'],
      'application-changed wiki: secret',
    ],
  );
});

test('faults of applications are told with their line: settings, unknown fields, secrets and names', async (t) => {
  const { apply } = await applying(t);
  const misspelt = await apply(`{"applications": [
    {"name": "wiki", "settings": {"redirectUris": [], "redirectURIs": ["https://wiki.example.org/"]}}]}`);
  assert.match(
    misspelt.stderr,
    /state\.json:2 \/applications\/0\/settings\/redirectURIs: is no member of this object/,
  );
  const { stderr } = await apply(`{"clients": [{"name": "gateway", "secretDigest": "${digestOf('a')}"}],
    "applications": [
    {"name": "wiki", "settings": {"redirectUris": ["http://wiki.example.org/"]}},
    {"name": "adf", "secretDigest": "${digestOf('a')}", "settings": {"redirectUris": ["https://adf.example.org/"], "public": true}},
    {"name": "gateway", "settings": {"redirectUris": ["https://gateway.example.org/"]}}]}`);
  assert.match(
    stderr,
    /:3 \/applications\/0\/settings\/redirectUris: redirectUris: "http:\/\/wiki\.example\.org\/" is http/,
  );
  assert.match(
    stderr,
    /:4 \/applications\/1\/secretDigest: is for an application that proves itself by a secret/,
  );
  assert.match(stderr, /:5 \/applications\/2: names a client that an entry before it names/);
  const secretless = await apply({ applications: [{ name: 'wiki', settings: WIKI }] });
  assert.match(secretless.stderr, /:1 \/applications\/0: the application "wiki" needs a secret/);
});
