import assert from 'node:assert/strict';
import { test } from 'node:test';
import { UserImport } from '../../../../src/capabilities/migration/import/user-import.ts';
import { totpPurpose } from '../../../../src/core/domain/second-factor.ts';
import { secretSealer } from '../../../../src/core/sealing/secret-keys.ts';
import { openMemory } from '../../../engines/memory/open.ts';
import { startTestService, type TestService } from '../../../service/start.ts';
import { logIn } from '../../../service/talk.ts';
import { commandLine } from '../../action-definitions/nodes/command-line.ts';
import { CHEAP, onFolder } from './importing.ts';
import { APP_SECRET, keycloakRealm, RIGHT } from './keycloak-realm.ts';

const KEYCLOAK = ['--format', 'keycloak'] as const;

const userOf = ({ store }: TestService, name: string) => store.read(({ users }) => users.findByKey(name));

/** What the command says of the realm; the verb is that of a dry run or of the import. */
const told = (added: string, addedGroups: string) => [
  `${added} 6 users.`,
  `${addedGroups} 4 groups.`,
  'Attributes without a field here: locale.',
  'Users whose second factor does not come along, so that their password alone lets them in: ben.',
  'Roles do not come along, groups do. Of users with roles: ben.',
  'Service accounts come as applications with the flow client_credentials: service-account-reports.',
];
const REFUSED = `user "emil": has its password in a directory: connect that directory, which brings the user
user "gus": has a password hash that Keycloak itself does not make: argon2 and PBKDF2 are read
Refused 2 entries. Mend them and import the file again: existing users stay as they are.
`;

test('users of Keycloak sign in with their passwords, whose hashes become argon2id of this service', async (t) => {
  const service = await startTestService(t);
  const importing = (...words: readonly string[]) =>
    commandLine(
      ['users', 'import', '-', ...KEYCLOAK, ...words],
      { ...CHEAP, TESSERA_DATA: service.data },
      keycloakRealm(),
    );
  const dry = await importing('--dry-run');
  assert.deepEqual(dry.stdout.trimEnd().split('\n'), told('Would add', 'Would add or change'));
  assert.equal(dry.stderr, REFUSED);
  assert.equal(await userOf(service, 'anna'), undefined);
  const { code, stdout, stderr } = await importing();
  assert.deepEqual(stdout.trimEnd().split('\n'), told('Added', 'Added or changed'));
  assert.deepEqual([code, stderr], [1, REFUSED]);
  for (const name of ['anna', 'ben', 'carla']) {
    await assert.rejects(logIn(service.url, name, `${RIGHT}!`), /Login failed/);
    await logIn(service.url, name, RIGHT);
    const { passwordHash = '' } = (await userOf(service, name)) ?? {};
    assert.match(passwordHash, /^\$argon2id\$v=19\$m=8,t=1,p=1\$\S+$/, name);
    await logIn(service.url, name, RIGHT);
  }
  await assert.rejects(logIn(service.url, 'dora', RIGHT), /Login failed/);
  assert.equal((await userOf(service, 'carla'))?.mustChangePassword, true);
  assert.equal((await userOf(service, 'fay'))?.provider, 'entra');
});

test('profiles and groups of Keycloak come along, and groups of one name below different groups stay two', async (t) => {
  const { importOf, usersCommand } = await onFolder(t);
  await importOf(keycloakRealm(), ...KEYCLOAK);
  const lines = (await usersCommand('export')).stdout.trimEnd().split('\n');
  const entries = lines.map((line) => JSON.parse(line));
  assert.deepEqual(entries.slice(0, 4), [
    { group: 'it', displayName: 'it' },
    { group: 'it.editors', displayName: 'editors', groups: ['it'] },
    { group: 'staff', displayName: 'staff' },
    { group: 'staff.editors', displayName: 'editors', groups: ['staff'] },
  ]);
  const anna = entries.find(({ name }) => name === 'anna');
  assert.deepEqual(
    { ...anna, passwordHash: undefined },
    {
      name: 'anna',
      administrator: false,
      disabled: false,
      passwordHash: undefined,
      firstName: 'Anna',
      lastName: 'Ng',
      email: 'anna@example.org',
      organization: 'Press',
      telephone: '+49 30 1234',
      groups: ['staff', 'staff.editors'],
    },
  );
  assert.deepEqual(entries.find(({ name }) => name === 'ben').groups, ['it.editors']);
});

test('an authenticator app of Keycloak is asked for here, and its secret is sealed', async (t) => {
  const service = await startTestService(t);
  await commandLine(
    ['users', 'import', '-', ...KEYCLOAK],
    { ...CHEAP, TESSERA_DATA: service.data },
    keycloakRealm(),
  );
  await assert.rejects(logIn(service.url, 'hana', RIGHT), /Login failed/);
  const id = (await userOf(service, 'hana'))?.id ?? 0;
  const app = await service.store.read(({ totpSecrets }) => totpSecrets.find(id));
  assert.ok(app !== undefined && !app.secret.includes(APP_SECRET));
  const opened = secretSealer(service.settings, Date.now)?.open(totpPurpose(id), app.secret);
  assert.equal(opened?.toString(), APP_SECRET);
});

test('an authenticator app needs keys that encrypt its secret: without them its user is refused', async () => {
  const refused: string[] = [];
  const options = { cost: { memory: 8, passes: 1, lanes: 1 }, namesCaseSensitive: false, update: false };
  const progress = { onBatch() {}, onRefused: (_: number, why: string) => void refused.push(why) };
  async function* records() {
    yield { number: 1, value: { name: 'hana', totpSecret: 'JBSWY3DPEHPK3PXP' } };
  }
  const more = { withoutHash: true, dryRun: false, clock: Date.now };
  const { added } = await new UserImport(openMemory(), { ...options, ...more }, progress).run(records());
  assert.equal(added, 0);
  assert.match(refused[0] ?? '', /name their file in TESSERA_SECRET_KEYS_FILE/);
});

test('the secret of an authenticator app that is not base32 is refused', async (t) => {
  const { importOf } = await onFolder(t);
  const { stderr } = await importOf('{"name":"hana","totpSecret":"no base32!"}\n', '--without-hash');
  assert.match(
    stderr,
    /line 1: "totpSecret" is not of the form: the secret of an authenticator app, in base32/,
  );
});

test('a realm whose groups would be one group here is refused as a whole', async (t) => {
  const { importOf, kept } = await onFolder(t);
  const groups = [
    { name: 'Staff', path: '/Staff' },
    { name: 'staff', path: '/staff' },
  ];
  const { code, stderr } = await importOf(keycloakRealm({ groups }), ...KEYCLOAK);
  assert.equal(code, 1);
  assert.match(stderr, /the groups \/Staff and \/staff would be one group here/);
  assert.equal(await kept('anna'), undefined);
});

test('a file without users says how to export them, and a user of another shape is named', async (t) => {
  const { importOf } = await onFolder(t);
  const none = await importOf(keycloakRealm({ users: undefined, groups: [] }), ...KEYCLOAK);
  assert.match(none.stderr, /kc\.sh export --users realm_file/);
  const odd = await importOf(keycloakRealm({ users: [{ username: 'ida', groups: 'staff' }] }), ...KEYCLOAK);
  assert.match(odd.stderr, /user "ida": is not as Keycloak exports it: \/groups /);
});
