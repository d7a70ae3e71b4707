import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { readPage } from '../../../faces/pages/read-page.ts';
import { type Attributes, DOMAIN, fileTime } from '../../../service/active-directory/entries.ts';
import { startActiveDirectory } from '../../../service/active-directory/server.ts';
import { temporaryFolder } from '../../../service/start.ts';
import { until } from '../../../service/until.ts';
import { onServer } from '../../action-definitions/nodes/command-line.ts';
import { asked } from '../../admin/http/asked.ts';
import { openPage, signedInAs } from '../../admin/pages/console-service.ts';
import { startWithDirectory } from './with-directory.ts';

const PASSWORD = 'a long quiet river';

/** A service whose directory answers as Active Directory, and that directory. */
async function started(t: TestContext, env: Record<string, string> = {}) {
  const directory = await startActiveDirectory(t);
  const account = directory.user('service', PASSWORD);
  const file = join(await temporaryFolder(t), 'password');
  writeFileSync(file, PASSWORD);
  const service = await startWithDirectory(t, directory, {
    TESSERA_LDAP_KIND: 'active-directory',
    TESSERA_LDAP_BIND_DN: account.dn,
    TESSERA_LDAP_BIND_PASSWORD_FILE: file,
    TESSERA_LDAP_USER_BASE: DOMAIN,
    TESSERA_LDAP_GROUP_BASE: DOMAIN,
    ...env,
  });
  return { directory, service };
}

test('a person stays the same user when it is renamed, and its old name is free for another person', async (t) => {
  const { directory, service } = await started(t);
  const anna = directory.user('anna', PASSWORD, { givenName: ['Anna'], mail: ['anna@example.com'] });
  const ticket = await service.ticket('anna', PASSWORD);
  const before = await service.user('anna');
  directory.entries.rename(anna.dn, `CN=Anna Berg,OU=Moved,${DOMAIN}`);
  anna.set({ sAMAccountName: ['anna.berg'] });
  assert.equal(await service.logIn('anna', PASSWORD), 403);
  assert.equal(await service.logIn('Anna.Berg', PASSWORD), 200);
  const after = await service.user('anna.berg');
  assert.deepEqual([after?.id, after?.name], [before?.id, 'anna.berg']);
  assert.equal(await service.isLive(ticket), true);
  directory.user('anna', PASSWORD);
  assert.equal(await service.logIn('anna', PASSWORD), 200);
  assert.notEqual((await service.user('anna'))?.id, before?.id);
});

test('the console checks the directory step by step, without a password of a person', async (t) => {
  const { directory, service } = await started(t);
  const page = '/portal/console/directory';
  const operator = await signedInAs(service, 'operator');
  assert.ok((await openPage(operator, page)).text.includes(directory.url));
  const check = async () => readPage(await (await operator.send(page, `${page}/check`)).text()).text;
  assert.match(await check(), /Every step is right.*connectionRight.* answers.*search account.*user base/s);
  const { body } = await asked(service, '/directory/check', { method: 'POST' }, 'operator');
  assert.deepEqual([body.wrong, body.parts.length, body.parts[0].about], [0, 3, 'settings']);
  const tessera = await onServer(t, service, 'operator');
  const elsewhere = await tessera('ldap check');
  assert.match(
    elsewhere.stdout,
    /^settings\n {2}ok {5}users {11}\(&.*^searches\n {2}ok {5}user base {7}DC=/ms,
  );
  assert.deepEqual([elsewhere.stderr, elsewhere.code], ['', 0]);
  assert.doesNotMatch(elsewhere.stdout, new RegExp(PASSWORD));
  for (const words of ['ldap check anna', 'ldap check anna --password-stdin'])
    assert.match((await tessera(words)).stderr, /^Only the machine of the service looks at a user/);
  await directory.stop();
  assert.match(await check(), /1 step is wrong.*connectionWrong/s);
  const silent = await tessera('ldap check');
  assert.match(silent.stdout, /^ {2}WRONG {2}connection {6}Nothing listens at /m);
  assert.deepEqual([silent.stderr, silent.code], ['1 step is wrong.\n', 1]);
});

const NOW = Date.now();

/** States of an account that refuse a login, and the reason in the events. */
const STATES: readonly [string, Attributes, string][] = [
  ['disabled', { userAccountControl: ['514'] }, 'disabled in the directory'],
  ['expired', { accountExpires: [fileTime(NOW - 60_000)] }, 'account expired in the directory'],
  ['locked', { lockoutTime: [fileTime(NOW)] }, 'locked in the directory'],
  ['to change', { pwdLastSet: ['0'] }, 'password to be changed in the directory first'],
];

test('disabled, expired, locked and with a password to change are told apart in the events alone', async (t) => {
  const { directory, service } = await started(t, { TESSERA_THROTTLE_AFTER: '100' });
  for (const [name, attributes, reason] of STATES) {
    directory.user(name, PASSWORD, attributes);
    assert.equal(await service.logIn(name, PASSWORD), 403, name);
    assert.equal((await service.reasons('login-refused'))[0], reason);
    assert.equal(await service.user(name), undefined);
  }
  directory.user('old', PASSWORD).passwordExpired = true;
  assert.equal(await service.logIn('old', PASSWORD), 403);
  assert.equal((await service.reasons('login-refused'))[0], 'password expired in the directory');
  // A lock that has ended by itself leaves its time in the entry.
  directory.user('ended', PASSWORD, { lockoutTime: [fileTime(NOW - 3_600_000)] });
  assert.equal(await service.logIn('ended', PASSWORD), 200);
});

test('nested groups come by the matching rule, and with the setting none but direct ones', async (t) => {
  const { directory, service } = await started(t);
  const anna = directory.user('anna', PASSWORD);
  const inner = directory.group('inner', [anna]);
  const outer = directory.group('outer', [inner]);
  inner.set({ member: [anna.dn, outer.dn] });
  assert.equal(await service.logIn('anna', PASSWORD), 200);
  assert.deepEqual(await service.groups('anna'), ['inner', 'outer']);
  outer.set({ member: [] });
  assert.equal(await service.logIn('anna', PASSWORD), 200);
  assert.deepEqual(await service.groups('anna'), ['inner']);
});

test('more groups than one page of the directory come whole', async (t) => {
  const { directory, service } = await started(t);
  const anna = directory.user('anna', PASSWORD);
  for (let at = 0; at < 700; at += 1) directory.group(`group${at}`, [anna]);
  assert.equal(await service.logIn('anna', PASSWORD), 200);
  assert.equal((await service.groups('anna')).length, 700);
  for (let at = 700; at < 1_100; at += 1) directory.group(`group${at}`, [anna]);
  assert.equal(await service.logIn('anna', PASSWORD), 200);
  assert.equal((await service.groups('anna')).length, 700, 'of more than 1,000 groups none is new');
});

test('a user who is disabled in Active Directory loses the tickets at the next check, and no other user does', async (t) => {
  const { directory, service } = await started(t, { TESSERA_LDAP_RECHECK: 'PT0.5S' });
  const anna = directory.user('anna', PASSWORD);
  directory.user('ben', PASSWORD);
  directory.user('carl', PASSWORD);
  const [hers, his] = [await service.ticket('anna', PASSWORD), await service.ticket('ben', PASSWORD)];
  await service.ticket('carl', PASSWORD);
  anna.set({ userAccountControl: ['514'] });
  await until('her ticket ended', async () => !(await service.isLive(hers)));
  assert.deepEqual(await service.reasons('user-disabled'), ['disabled in the directory']);
  directory.entries.remove(`CN=carl,CN=Users,${DOMAIN}`);
  await until('carl is disabled', async () => (await service.user('carl'))?.disabled === true);
  assert.equal((await service.reasons('user-disabled'))[0], 'not in the directory any more');
  assert.equal(await service.isLive(his), true);
});

test('an empty password is refused before a bind, which would succeed', async (t) => {
  const { directory, service } = await started(t);
  const anna = directory.user('anna', PASSWORD);
  assert.equal(await service.logIn('anna', ''), 403);
  assert.equal(await service.user('anna'), undefined);
  assert.ok(!directory.binds.includes(anna.dn));
});
