import assert from 'node:assert/strict';
import { newGroup } from '../../../../src/core/domain/group.ts';
import { addAppPassword } from '../../../service/app-passwords.ts';
import {
  dnOf,
  groupDn,
  groupOf,
  person,
  testsOnSlapd,
  USER_PASSWORD,
  USERS,
} from '../../../service/slapd.ts';
import { PASSWORD } from '../../../service/start.ts';
import { directoryOn } from '../asked.ts';
import { startWithDirectory } from './with-directory.ts';

const NAMES = ['anna', 'ben', 'admin', 'carl', 'dora', 'emil', 'fred', 'gina', 'hugo', 'guest'];

const test = await testsOnSlapd({
  entries: [
    ...NAMES.map((name) => person(name, `mail: ${name}@example.org`, 'employeeNumber: 1')),
    groupOf('staff', dnOf('anna')),
    groupOf('company', groupDn('staff')),
  ],
});

test('a person of the directory logs in, and is a user with profile and groups from then on', async (t, slapd) => {
  const service = await startWithDirectory(t, slapd, { TESSERA_LDAP_GROUP_PREFIX: 'ldap-' });
  const ticket = await service.ticket('Anna');
  assert.equal(await service.isLive(ticket), true);
  const anna = await service.user('anna');
  assert.deepEqual([anna?.name, anna?.provider, anna?.passwordHash], ['anna', 'ldap', undefined]);
  assert.deepEqual(await service.groups('anna'), ['ldap-company', 'ldap-staff']);
  const profile = await service.store.read(({ profiles }) => profiles.find(anna?.id ?? 0));
  assert.deepEqual(profile, { lastName: 'anna', email: 'anna@example.org' });
  assert.deepEqual(await service.reasons('user-added'), ['first login by ldap', 'first start']);
  const before = await service.store.read(({ events }) => events.list({}));
  assert.equal(await service.logIn('anna'), 200);
  const after = await service.store.read(({ events }) => events.list({}));
  assert.deepEqual(
    after.slice(before.length).map(({ kind }) => kind),
    ['login'],
  );
});

test('the directory puts a person into a group with a role only if TESSERA_LDAP_ROLE_GROUPS names it', async (t, slapd) => {
  for (const [named, groups, role] of [
    ['', ['staff'], undefined],
    ['other,GROUP_Company', ['company', 'staff'], 'operator'],
  ] as const) {
    const service = await startWithDirectory(t, slapd, { TESSERA_LDAP_ROLE_GROUPS: named });
    await service.store.write((unit) => unit.groups.add(newGroup('company', { role: 'operator' })));
    assert.equal(await service.logIn('anna'), 200);
    assert.deepEqual(await service.groups('anna'), groups);
    const anna = await service.user('anna');
    assert.equal(await service.store.read(({ roles }) => roles.of(anna?.id ?? 0)), role);
  }
});

test('wrong, empty and odd passwords and names are refused alike, and no filter lets one in', async (t, slapd) => {
  const service = await startWithDirectory(t, slapd);
  assert.equal(await service.logIn('anna'), 200);
  const refused: [string, string][] = [
    ['anna', 'wrong'],
    ['anna', ''],
    ['ben', 'wrong'],
    ['ben', ''],
    ['nobody', USER_PASSWORD],
    ['*', USER_PASSWORD],
    ['ben)(uid=*', USER_PASSWORD],
    ['*)(uid=*', USER_PASSWORD],
    ['ben\0', USER_PASSWORD],
    ['ben ', USER_PASSWORD],
    ['guest', USER_PASSWORD],
  ];
  for (const [name, password] of refused)
    assert.equal(await service.logIn(name, password), 403, JSON.stringify([name, password]));
  assert.equal(await service.user('ben'), undefined);
  assert.equal(await service.logIn('ben'), 200);
  const reasons = new Set(await service.reasons('login-refused'));
  assert.deepEqual(reasons, new Set(['wrong-password', 'unknown-name', 'the name of the guest']));
  const log = service.lines.join('');
  assert.ok(!log.includes(USER_PASSWORD));
});

test('the local verifier decides over local users, also if the directory accepts the password', async (t, slapd) => {
  const service = await startWithDirectory(t, slapd);
  assert.equal(await service.logIn('admin'), 403);
  assert.equal(await service.logIn('admin', PASSWORD), 200);
  await service.addUser('carl');
  assert.equal(await service.logIn('carl'), 403);
  assert.equal(await service.logIn('carl', PASSWORD), 200);
  assert.equal((await service.user('carl'))?.provider, undefined);
});

test('with the setting a local user is taken over, but none with a role', async (t, slapd) => {
  const service = await startWithDirectory(t, slapd, { TESSERA_LDAP_TAKES_LOCAL_NAMES: 'true' });
  await service.addUser('carl');
  await service.addUser('dora');
  const { id = 0 } = (await service.user('dora')) ?? {};
  await service.store.write(({ roles }) => roles.give(id, 'auditor'));
  const before = await service.ticket('carl', PASSWORD);
  const appPassword = await addAppPassword(service.store, 'carl');
  assert.equal(await service.logIn('carl', appPassword), 200);
  assert.equal(await service.logIn('carl', 'wrong'), 403);
  assert.equal(await service.logIn('carl'), 200);
  assert.equal(await service.logIn('carl', appPassword), 403, 'another person may have it');
  assert.equal(await service.logIn('carl', PASSWORD), 403);
  assert.equal(await service.isLive(before), false);
  assert.equal((await service.user('carl'))?.provider, 'ldap');
  for (const _ of [1, 2, 3]) assert.equal(await service.logIn('dora', 'wrong'), 403);
  const { person: dora } = await directoryOn(t, slapd).directory.find('dora');
  assert.equal(dora?.state, 'active', 'her wrong passwords were shown to the directory');
  for (const name of ['dora', 'admin']) {
    assert.equal(await service.logIn(name), 403, name);
    assert.equal(await service.logIn(name, PASSWORD), 200, name);
  }
});

test('a name with two entries is refused', async (t, slapd) => {
  const service = await startWithDirectory(t, slapd, {
    TESSERA_LDAP_USER_FILTER: '(|(uid={name})(employeeNumber={name}))',
  });
  assert.equal(await service.logIn('1'), 403);
  assert.deepEqual(await service.reasons('login-refused'), ['several entries in the directory']);
  assert.equal(await service.logIn('emil'), 200);
});

test('users disabled or locked here stay out with the right password, and are not enabled by it', async (t, slapd) => {
  const service = await startWithDirectory(t, slapd);
  assert.equal(await service.logIn('emil'), 200);
  const { id = 0 } = (await service.user('emil')) ?? {};
  slapd.change(dnOf('emil'), 'replace: mail', 'mail: changed@example.org');
  const mail = async () => (await service.store.read(({ profiles }) => profiles.find(id))).email;
  await service.store.write(({ users }) => users.change(id, { disabled: true }));
  assert.equal(await service.logIn('emil'), 403);
  await service.store.write(({ users }) =>
    users.change(id, { disabled: false, lockedUntil: 8_640_000_000_000_000 }),
  );
  assert.equal(await service.logIn('emil'), 403);
  assert.deepEqual(await service.reasons('login-refused'), ['locked-by-hand', 'disabled']);
  // Their passwords were not shown to the directory, so nothing of it came here.
  assert.equal(await mail(), 'emil@example.org');
  await service.store.write(({ users }) => users.change(id, { lockedUntil: 0 }));
  assert.equal(await service.logIn('emil'), 200);
  assert.equal(await mail(), 'changed@example.org');
});

test('the state of the account in the directory is the reason in the events', async (t, slapd) => {
  const service = await startWithDirectory(t, slapd);
  slapd.change(dnOf('fred'), 'add: pwdReset', 'pwdReset: TRUE');
  assert.equal(await service.logIn('fred'), 403);
  slapd.change(dnOf('fred'), 'delete: pwdReset');
  slapd.change(dnOf('fred'), 'replace: pwdAccountLockedTime', 'pwdAccountLockedTime: 000001010000Z');
  assert.equal(await service.logIn('fred'), 403);
  slapd.change(dnOf('fred'), 'delete: pwdAccountLockedTime');
  for (const _ of [1, 2, 3]) assert.equal(await service.logIn('gina', 'wrong'), 403);
  assert.equal(await service.logIn('gina'), 403);
  assert.deepEqual(await service.reasons('login-refused'), [
    'locked in the directory',
    'wrong-password',
    'wrong-password',
    'wrong-password',
    'disabled in the directory',
    'password to be changed in the directory first',
  ]);
  assert.equal(await service.logIn('fred'), 200);
});

test('a renamed person keeps the user, and the next person with the name is another user', async (t, slapd) => {
  const service = await startWithDirectory(t, slapd);
  const ticket = await service.ticket('hugo');
  const { id } = (await service.user('hugo')) ?? {};
  slapd.rename(dnOf('hugo'), 'uid=hugo.berg');
  slapd.add(person('hugo'));
  assert.equal(await service.logIn('hugo'), 403);
  assert.equal(await service.logIn('hugo.berg'), 200);
  assert.equal((await service.user('hugo.berg'))?.id, id);
  assert.equal(await service.isLive(ticket), true);
  await service.store.write(({ users }) => users.change(id ?? 0, { disabled: true }));
  slapd.rename(`uid=hugo.berg,${USERS}`, 'uid=hugo.b');
  assert.equal(await service.logIn('hugo.b'), 403);
  assert.equal((await service.reasons('login-refused'))[0], 'disabled');
  assert.equal(await service.logIn('hugo'), 200);
  assert.notEqual((await service.user('hugo'))?.id, id);
});

test('a name and password on each request bind once a minute', async (t, slapd) => {
  const service = await startWithDirectory(t, slapd);
  assert.equal(await service.byBasic('anna'), 200);
  // Only the cache can answer now.
  slapd.freeze();
  t.after(() => slapd.thaw());
  for (let time = 0; time < 5; time += 1) assert.equal(await service.byBasic('anna'), 200);
  const { id = 0, generation = 0 } = (await service.user('anna')) ?? {};
  slapd.thaw();
  slapd.setPassword(dnOf('anna'), 'another-password');
  t.after(() => slapd.setPassword(dnOf('anna'), USER_PASSWORD));
  await service.store.write(({ users }) => users.change(id, { generation: generation + 1 }));
  assert.equal(await service.byBasic('anna'), 401);
  assert.equal(await service.byBasic('anna', 'another-password'), 200);
});
