import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { Visitor } from '../../../faces/pages/browse.ts';
import { DOMAIN, fileTime } from '../../../service/active-directory/entries.ts';
import { startActiveDirectory } from '../../../service/active-directory/server.ts';
import { certified } from '../../../service/certified.ts';
import { temporaryFolder } from '../../../service/start.ts';
import { startWithDirectory } from '../log-in/with-directory.ts';

const PASSWORD = 'a long quiet river';
const NEW = 'an even longer, quieter rivér';
const PAGE = '/portal/account/password';

/** A service whose directory answers as Active Directory over TLS, and that directory. */
async function started(t: TestContext, env: Record<string, string> = {}) {
  const { ca, ...certificate } = certified(t);
  const directory = await startActiveDirectory(t, { certificate });
  const account = directory.user('service', PASSWORD);
  const file = join(await temporaryFolder(t), 'password');
  writeFileSync(file, PASSWORD);
  const service = await startWithDirectory(t, directory, {
    TESSERA_LDAP_KIND: 'active-directory',
    TESSERA_LDAP_CA: ca,
    TESSERA_LDAP_BIND_DN: account.dn,
    TESSERA_LDAP_BIND_PASSWORD_FILE: file,
    TESSERA_LDAP_USER_BASE: DOMAIN,
    TESSERA_LDAP_GROUP_BASE: DOMAIN,
    TESSERA_LDAP_PASSWORD_CHANGE: 'true',
    ...env,
  });
  return { directory, service };
}

test('Active Directory gets the old and the new unicodePwd from the person, and what its rules refuse is shown', async (t) => {
  const { directory, service } = await started(t);
  const anna = directory.user('anna', PASSWORD);
  const visitor = new Visitor(service);
  await visitor.signIn('anna', PASSWORD);
  const program = await service.ticket('anna', PASSWORD);
  const change = (newPassword: string) => visitor.send(PAGE, PAGE, { oldPassword: PASSWORD, newPassword });
  const short = await change('short');
  assert.deepEqual(
    [short.status, /breaks a rule of the directory of your organization/.test(await short.text())],
    [400, true],
  );
  assert.equal(await service.isLive(program), true);
  assert.equal((await change(NEW)).status, 303);
  assert.deepEqual([anna.password, directory.passwordWrites], [NEW, [`${anna.dn}: change`]]);
  assert.equal(await service.isLive(program), false);
  assert.equal(await service.logIn('anna', NEW), 200);
});

test('who has to change the password in Active Directory, or whose has expired, chooses one at the sign-in on a page', async (t) => {
  const { directory, service } = await started(t, { TESSERA_THROTTLE_AFTER: '100' });
  directory.user('ben', PASSWORD, { pwdLastSet: ['0'] });
  directory.user('carl', PASSWORD).passwordExpired = true;
  for (const username of ['ben', 'carl']) {
    assert.equal(await service.logIn(username, PASSWORD), 403);
    const visitor = new Visitor(service);
    const wrong = await visitor.post('/portal/login', { username, password: 'wrong' });
    assert.doesNotMatch(await wrong.text(), /new-password/);
    const asked = await visitor.post('/portal/login', { username, password: PASSWORD });
    assert.match(await asked.text(), /action="\/portal\/new-password"/);
    const form = { username, oldPassword: PASSWORD, return: '' };
    const same = await visitor.post('/portal/new-password', { ...form, newPassword: PASSWORD });
    assert.match(await same.text(), /This is the old password/);
    const done = await visitor.post('/portal/new-password', { ...form, newPassword: NEW });
    assert.equal(done.status, 303);
    assert.equal((await visitor.get('/portal/account')).status, 200);
    assert.equal(await service.logIn(username, NEW), 200);
  }
  assert.deepEqual(directory.passwordWrites.length, 2);
});

test('the account page says when a password in Active Directory expires, if that is within 14 days', async (t) => {
  const { directory, service } = await started(t);
  const DAY = 86_400_000;
  const ends = (days: number) => [fileTime(Date.now() + days * DAY)];
  const never = ['9223372036854775807'];
  for (const [name, end] of [
    ['emil', ends(13)],
    ['fred', ends(15)],
    ['gina', never],
    ['hans', []],
  ] as const) {
    directory.user(name, PASSWORD, { 'msDS-UserPasswordExpiryTimeComputed': end });
    const visitor = new Visitor(service);
    await visitor.signIn(name, PASSWORD);
    const text = await (await visitor.get('/portal/account')).text();
    assert.equal(/said when your password expires: <time/.test(text), name === 'emil', name);
  }
  const day = new Date(Date.now() + 13 * DAY).toISOString().slice(0, 10);
  const reasons = await service.reasons('login');
  assert.deepEqual(
    reasons.map((reason) => reason?.slice(0, 27)),
    [undefined, undefined, undefined, `password expires ${day}`],
  );
});

test('the service does not start if new passwords for Active Directory would go over a plain connection', async (t) => {
  const directory = await startActiveDirectory(t);
  const start = () =>
    startWithDirectory(t, directory, {
      TESSERA_LDAP_KIND: 'active-directory',
      TESSERA_LDAP_PASSWORD_CHANGE: 'true',
    });
  await assert.rejects(
    start,
    /TESSERA_LDAP_PASSWORD_CHANGE: Active Directory takes new passwords over TLS only/,
  );
});

test('a directory that says it is Active Directory is written to as one, whatever the setting; never without TLS', async (t) => {
  const directory = await startActiveDirectory(t);
  const account = directory.user('service', PASSWORD);
  directory.user('dora', PASSWORD);
  const file = join(await temporaryFolder(t), 'password');
  writeFileSync(file, PASSWORD);
  const service = await startWithDirectory(t, directory, {
    TESSERA_LDAP_BIND_DN: account.dn,
    TESSERA_LDAP_BIND_PASSWORD_FILE: file,
    TESSERA_LDAP_USER_BASE: DOMAIN,
    TESSERA_LDAP_GROUP_BASE: DOMAIN,
    TESSERA_LDAP_USER_FILTER: '(&(objectClass=user)(sAMAccountName={name}))',
    TESSERA_LDAP_ATTRIBUTES: 'name=sAMAccountName,subject=objectGUID',
    TESSERA_LDAP_PASSWORD_CHANGE: 'true',
  });
  const visitor = new Visitor(service);
  await visitor.signIn('dora', PASSWORD);
  const refused = await visitor.send(PAGE, PAGE, { oldPassword: PASSWORD, newPassword: NEW });
  assert.deepEqual([refused.status, /organization/.test(await refused.text())], [400, true]);
  assert.match(service.lines.join('\n'), /Active Directory takes a new password over TLS only/);
  assert.deepEqual(directory.passwordWrites, []);
});
