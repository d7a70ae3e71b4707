import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { directoryOptionsIn, openDirectory } from '../../../src/capabilities/ldap/assembly.ts';
import { SettingsFaulty } from '../../../src/core/settings/read.ts';
import type { Store } from '../../../src/core/storage/store.ts';
import { openLog } from '../../../src/core/telemetry/log.ts';
import { readSettings } from '../../../src/main/settings.ts';
import { openMemory } from '../../engines/memory/open.ts';
import { startTestService, temporaryFolder } from '../../service/start.ts';

function faultsOf(env: Record<string, string>): readonly string[] {
  try {
    readSettings({ flags: {}, env });
    return [];
  } catch (error) {
    assert.ok(error instanceof SettingsFaulty);
    return error.faults;
  }
}

const BASE = { TESSERA_LDAP_USER_BASE: 'ou=people,dc=example,dc=org' };
const at = (url: string, more: Record<string, string> = {}) => ({ ...BASE, TESSERA_LDAP_URLS: url, ...more });

/** How the directory is asked with these settings. */
const optionsWith = (env: Record<string, string>) =>
  directoryOptionsIn(readSettings({ flags: {}, env: at('ldaps://dc1', env) }).settings, () => undefined);

test('passwords go to a directory by TLS, or on this machine, unless a setting says so', () => {
  for (const url of [
    'ldaps://ldap.example.org',
    'ldap://127.0.0.1:389',
    'ldap://localhost',
    'ldap://[::1]:3890/',
  ])
    assert.deepEqual(faultsOf(at(url)), [], url);
  const open = 'ldaps://one,ldap://ldap.example.org:389';
  assert.deepEqual(faultsOf(at(open)), [
    'TESSERA_LDAP_URLS: ldap.example.org:389 would be sent passwords openly: write ldaps://, or set TESSERA_LDAP_START_TLS=true',
  ]);
  assert.deepEqual(faultsOf(at(open, { TESSERA_LDAP_START_TLS: 'true' })), []);
  assert.deepEqual(faultsOf(at(open, { TESSERA_LDAP_PLAIN_TEXT: 'true' })), []);
});

test('missing or misspelled settings are refused, and the fault says how to mend them', () => {
  for (const url of ['http://ldap', 'ldap.example.org', 'ldaps://ldap/dc=example', 'ldap:///', 'ldaps://a?x'])
    assert.match(faultsOf(at(url))[0] ?? '', /^TESSERA_LDAP_URLS: is no URL of a directory: write one/, url);
  const [withPassword = ''] = faultsOf(at('ldaps://user:secret@ldap'));
  assert.ok(!withPassword.includes('secret'));
  assert.deepEqual(faultsOf({ TESSERA_LDAP_URLS: 'ldaps://ldap' }), [
    'TESSERA_LDAP_USER_BASE: name the entry below which the people are',
  ]);
  assert.match(faultsOf(BASE)[0] ?? '', /^TESSERA_LDAP_URLS: name the servers of the directory/);
  assert.deepEqual(faultsOf(at('ldaps://ldap', { TESSERA_LDAP_BIND_DN: 'cn=reader' })), [
    'TESSERA_LDAP_BIND_PASSWORD_FILE: name the file with the password of TESSERA_LDAP_BIND_DN',
  ]);
  for (const filter of ['uid={name}', '((uid={name})', '(uid=x)', '(uid={dn})'])
    assert.match(
      faultsOf(at('ldaps://ldap', { TESSERA_LDAP_USER_FILTER: filter }))[0] ?? '',
      /^TESSERA_LDAP_USER_FILTER: /,
    );
  for (const map of ['mail', 'password=userPassword', 'name=', 'email=a b', 'email=a)(b'])
    assert.match(
      faultsOf(at('ldaps://ldap', { TESSERA_LDAP_ATTRIBUTES: map }))[0] ?? '',
      /^TESSERA_LDAP_ATTRIBUTES: /,
      map,
    );
});

test('the kind gives the filters and attributes that are not set', async () => {
  const openldap = await optionsWith({});
  assert.equal(openldap.userFilter, '(&(objectClass=inetOrgPerson)(uid={name}))');
  assert.equal(openldap.attributes.subject, 'entryUUID');
  const ad = { TESSERA_LDAP_KIND: 'active-directory' };
  const activeDirectory = await optionsWith(ad);
  assert.match(activeDirectory.userFilter, /\(sAMAccountName=\{name\}\)/);
  assert.match(activeDirectory.groupFilter, /1\.2\.840\.113556\.1\.4\.1941/);
  assert.equal(activeDirectory.attributes.subject, 'objectGUID');
  const direct = await optionsWith({ ...ad, TESSERA_LDAP_NESTED_GROUPS: 'false' });
  assert.equal(direct.groupFilter, '(&(objectClass=group)(member={dn}))');
  const own = await optionsWith({
    TESSERA_LDAP_USER_FILTER: '(mail={name})',
    TESSERA_LDAP_GROUP_FILTER: '(memberUid={name})',
    TESSERA_LDAP_ATTRIBUTES: 'name=mail, email=mail,jobTitle=',
  });
  assert.equal(own.userFilter, '(mail={name})');
  assert.equal(own.groupFilter, '(memberUid={name})');
  assert.equal(own.attributes.name, 'mail');
  assert.equal(own.attributes.jobTitle, undefined);
  assert.equal(own.attributes.lastName, 'sn');
});

test('one process of a service checks the users of the directory again', async () => {
  const { settings } = readSettings({ flags: {}, env: at('ldaps://dc1') });
  for (const sweeps of [true, false]) {
    let reads = 0;
    const memory = openMemory();
    const store: Store = {
      ...memory,
      read(work) {
        reads += 1;
        return memory.read(work);
      },
    };
    const onFault = (fault: unknown) => assert.fail(String(fault));
    const parts = {
      settings,
      store,
      takeOvers: [],
      sweeps,
      log: openLog('silent'),
      clock: Date.now,
      onFault,
    };
    const opened = await openDirectory(parts);
    opened?.start?.();
    assert.equal(reads, sweeps ? 1 : 0);
    await opened?.stop?.();
  }
});

test('a file of certificates that cannot be used is a fault at the start', async (t) => {
  const file = join(await temporaryFolder(t), 'ca.pem');
  writeFileSync(file, 'no certificate\n');
  const start = (ca: string) => startTestService(t, at('ldaps://localhost', { TESSERA_LDAP_CA: ca }));
  await assert.rejects(start(file), /TESSERA_LDAP_CA: the file holds no certificate in PEM/);
  await assert.rejects(start(`${file}.not`), /TESSERA_LDAP_CA: the file cannot be read/);
});
