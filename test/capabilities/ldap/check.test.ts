import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, test } from 'node:test';
import { checkDirectory } from '../../../src/capabilities/ldap/check/check.ts';
import type { CheckedPerson, PersonToCheck } from '../../../src/capabilities/ldap/check/person.ts';
import type { DirectoryOptions } from '../../../src/capabilities/ldap/options.ts';
import { DOMAIN } from '../../service/active-directory/entries.ts';
import { startActiveDirectory } from '../../service/active-directory/server.ts';
import { certified } from '../../service/certified.ts';
import { freePort } from '../../service/free-port.ts';
import {
  dnOf,
  GROUPS,
  groupDn,
  groupOf,
  person,
  READER,
  READER_PASSWORD,
  Slapd,
  USER_PASSWORD,
  USERS,
  whyNoSlapd,
} from '../../service/slapd.ts';

const skip = whyNoSlapd();
let slapd: Slapd;

before(async () => {
  if (skip !== undefined) return;
  const entries = [
    person('anna', 'givenName: Anna', 'mail: anna@example.org'),
    person('ben'),
    groupOf('inner', dnOf('anna')),
    groupOf('outer', groupDn('inner')),
  ];
  slapd = await Slapd.start({ entries });
});

after(() => slapd?.remove());

const ATTRIBUTES = {
  name: 'uid',
  subject: 'entryUUID',
  group: 'cn',
  firstName: 'givenName',
  lastName: 'sn',
  email: 'mail',
};

const optionsWith = (changes: Partial<DirectoryOptions> = {}): DirectoryOptions => ({
  kind: 'openldap',
  servers: [slapd.url],
  startTls: true,
  ca: readFileSync(slapd.certificate.ca, 'utf8'),
  bindDn: READER,
  bindPassword: () => READER_PASSWORD,
  userBase: USERS,
  userFilter: '(&(objectClass=inetOrgPerson)(uid={name}))',
  groupBase: GROUPS,
  groupFilter: '(member={dn})',
  nestedGroups: true,
  groupPrefix: '',
  attributes: ATTRIBUTES,
  deadline: 5_000,
  onServer: () => {},
  ...changes,
});

/** The result of a check: a line for each step, which begins with the name of its part, and the person that was found. */
async function said(options: DirectoryOptions, checked?: PersonToCheck) {
  const lines: string[] = [];
  let found: CheckedPerson | undefined;
  const onPerson = (person: CheckedPerson) => {
    found = person;
  };
  for await (const { about, steps } of checkDirectory({ options, checked, onPerson }))
    for await (const step of steps)
      lines.push(`${about} ${step.ok ? 'ok' : 'WRONG'} ${step.name}: ${step.found}`);
  return { lines, wrong: lines.filter((line) => line.includes(' WRONG ')), found };
}

/** Asserts that the check has this one fault, and ends with it. */
async function hasFault(changes: Partial<DirectoryOptions>, fault: RegExp): Promise<void> {
  const { lines, wrong } = await said(optionsWith(changes), { name: 'anna', password: USER_PASSWORD });
  assert.equal(wrong.length, 1, lines.join('\n'));
  assert.match(wrong[0] ?? '', fault);
  assert.equal(lines.at(-1), wrong[0]);
  assert.doesNotMatch(lines.join('\n'), new RegExp(`${READER_PASSWORD}|${USER_PASSWORD}`));
}

test('the check goes through a working directory to the password of a person', { skip }, async () => {
  const options = optionsWith({ writesPasswords: true });
  const { lines, wrong, found } = await said(options, { name: 'anna', password: USER_PASSWORD });
  assert.deepEqual(wrong, []);
  const text = lines.join('\n').replaceAll(slapd.url, 'URL');
  assert.match(text, /^URL ok connection: 127\.0\.0\.1:\d+ answers$/m);
  assert.match(
    text,
    /^URL ok TLS: TLSv1\.3, certificate of old, signed by Authority of a test, valid until 20/m,
  );
  assert.match(text, /^URL ok search account: cn=reader,dc=example,dc=org may enter$/m);
  assert.match(text, /^URL ok new passwords: by Password Modify \(RFC 3062\)$/m);
  assert.match(text, /^searches ok users: the filter finds 2: anna, ben$/m);
  assert.match(text, /^anna ok entry: uid=anna,ou=people,dc=example,dc=org$/m);
  assert.match(text, /^anna ok identity: name anna; entryUUID [0-9a-f-]{36}$/m);
  assert.match(text, /^anna ok profile: firstName Anna; lastName anna; email anna@example\.org$/m);
  assert.match(text, /^anna ok groups: inner, outer$/m);
  assert.match(text, /^anna ok password: it is right$/m);
  assert.deepEqual(found?.groups, ['inner', 'outer']);
});

test('the check reports a wrong password and a lock, and goes on after them', { skip }, async () => {
  const ask = (password: string) => said(optionsWith({ servers: [slapd.tlsUrl] }), { name: 'ben', password });
  assert.match(
    (await ask('wrong')).wrong.join(),
    /^ben WRONG password: The directory refuses the password: it is wrong\.$/,
  );
  for (let failed = 0; failed < 2; failed += 1) await ask('wrong');
  const { wrong } = await ask(USER_PASSWORD);
  assert.match(wrong.join('\n'), /^ben WRONG state: The account is locked in the directory/m);
  assert.match(wrong.join('\n'), /^ben WRONG password: .*locked in the directory\.$/m);
});

test('each of several servers is checked, and the searches go to the first that answers', {
  skip,
}, async () => {
  const dead = `ldap://127.0.0.1:${await freePort()}`;
  const { lines, wrong } = await said(optionsWith({ servers: [dead, slapd.url] }), {
    name: 'anna',
    password: undefined,
  });
  assert.equal(wrong.length, 1);
  assert.match(wrong[0] ?? '', /connection: Nothing listens at 127\.0\.0\.1:\d+: check that the server runs/);
  assert.ok(lines.at(-1)?.startsWith('anna ok groups'), lines.join('\n'));
});

test('the check says how to mend a server that cannot be reached', { skip }, async () => {
  await hasFault(
    { servers: ['ldap://no.such.host.invalid'] },
    /name: The name no\.such\.host\.invalid has no address: check/,
  );
  slapd.freeze();
  try {
    await hasFault({ deadline: 300 }, /TLS: .*(?:deadline|time)/i);
  } finally {
    slapd.thaw();
  }
});

test('the check says how to mend a certificate that is not trusted, or is for another name', {
  skip,
}, async (t) => {
  const localhost = slapd.tlsUrl.replace('127.0.0.1', 'localhost');
  for (const servers of [[slapd.tlsUrl], [slapd.url]])
    await hasFault(
      { servers, ca: undefined },
      /TLS: .*authority that this machine trusts: .* in TESSERA_LDAP_CA\.$/,
    );
  const other = certified(t, 'IP:127.0.0.1').ca;
  await hasFault(
    { ca: readFileSync(other, 'utf8') },
    /TLS: .*was not signed by an authority in TESSERA_LDAP_CA/,
  );
  await hasFault(
    { servers: [localhost] },
    /TLS: The certificate of the server is not for localhost, but for IP Address:127/,
  );
});

test('the check says how to mend TLS on the port of plain LDAP, and plain LDAP on the port of TLS', {
  skip,
}, async () => {
  const swapped = (from: string, scheme: string) => [from.replace(/^ldaps?/, scheme)];
  await hasFault(
    { servers: swapped(slapd.url, 'ldaps') },
    /TLS: .*use ldap in TESSERA_LDAP_URLS with TESSERA_LDAP_START_TLS/,
  );
  await hasFault({ servers: swapped(slapd.tlsUrl, 'ldap') }, /TLS: .*Then use ldaps in TESSERA_LDAP_URLS/);
});

test('the check says how to mend a search account that the server refuses', { skip }, async () => {
  await hasFault(
    { bindPassword: () => 'wrong' },
    /search account: The server refuses "cn=reader.*TESSERA_LDAP_BIND_PASSWORD_FILE/,
  );
  await hasFault({ bindDn: 'reader' }, /search account: "reader" is no DN: check TESSERA_LDAP_BIND_DN/);
  await hasFault(
    { bindDn: '' },
    /user base: The server lets this account search nothing .* in TESSERA_LDAP_BIND_DN/,
  );
});

test('for a wrong base the check names the bases of the server', { skip }, async () => {
  const fault = (what: string, setting: string) =>
    new RegExp(`base: ${what}.* check ${setting}\\. The server has dc=example,dc=org\\.$`);
  const gone = 'ou=gone,dc=example,dc=org';
  await hasFault({ userBase: gone }, fault('There is no entry', 'TESSERA_LDAP_USER_BASE'));
  await hasFault({ userBase: 'people' }, fault('"people" is no DN', 'TESSERA_LDAP_USER_BASE'));
  await hasFault({ groupBase: gone }, fault('There is no entry', 'TESSERA_LDAP_GROUP_BASE'));
});

test('the check says how to mend a filter that is invalid or finds no entry', { skip }, async () => {
  await hasFault(
    { userFilter: '(uid={name}' },
    /users: "\(uid=\{name\}" is no filter: .* Mend TESSERA_LDAP_USER_FILTER\.$/,
  );
  await hasFault(
    { groupFilter: 'member={dn})(' },
    /group base: .* is no filter: .* Mend TESSERA_LDAP_GROUP_FILTER\.$/,
  );
  await hasFault(
    { userFilter: '(&(uid={name})(mail=none))' },
    /users: The filter \(&\(uid=\*\)\(mail=none\)\) finds no entry below/,
  );
});

test('the check reports entries without an identifier', { skip }, async () => {
  const { wrong } = await said(optionsWith({ attributes: { ...ATTRIBUTES, subject: 'objectGUID' } }), {
    name: 'anna',
    password: undefined,
  });
  assert.match(wrong[0] ?? '', /users: 2 of 2 entries have no uid or no objectGUID/);
  assert.match(wrong[1] ?? '', /^anna WRONG identity: The entry has no uid or no objectGUID/);
});

test('the check reports a name that no entry has, or that two have', { skip }, async () => {
  const { wrong } = await said(optionsWith(), { name: 'ca*l', password: undefined });
  assert.match(wrong.join(), /^ca\*l WRONG entry: The filter .*\(uid=ca\\2al\)\) finds no entry below/);
  await hasFault(
    { userFilter: '(|(uid={name})(uid=ben))' },
    /entry: The filter finds 2 entries, .*: uid=anna,.*; uid=ben,/,
  );
});

test('Active Directory: the check reports a nested group, a disabled person, an expired account and missing TLS', async (t) => {
  const directory = await startActiveDirectory(t);
  const service = directory.user('service', 'reads');
  const anna = directory.user('anna', 'right', { givenName: ['Anna'] });
  directory.group('all', [directory.group('staff', [anna])]);
  const options: DirectoryOptions = {
    kind: 'active-directory',
    servers: [directory.url],
    startTls: false,
    ca: undefined,
    bindDn: service.dn,
    bindPassword: () => 'reads',
    userBase: DOMAIN,
    userFilter: '(&(objectClass=user)(sAMAccountName={name}))',
    groupBase: DOMAIN,
    groupFilter: '(member:1.2.840.113556.1.4.1941:={dn})',
    nestedGroups: true,
    groupPrefix: '',
    attributes: { ...ATTRIBUTES, name: 'sAMAccountName', subject: 'objectGUID' },
    deadline: 5_000,
    onServer: () => {},
  };
  const checked = { name: 'anna', password: 'right' };
  const right = await said(options, checked);
  assert.deepEqual(right.wrong, []);
  assert.deepEqual(right.found?.groups.toSorted(), ['all', 'staff']);
  const plain = await said({ ...options, writesPasswords: true });
  assert.match(plain.wrong.join(), /new passwords: Active Directory takes them over TLS only: use ldaps in/);
  anna.set({ userAccountControl: ['514'] });
  const disabled = await said(options, checked);
  assert.deepEqual(
    disabled.wrong.map((line) => line.split(':')[0]),
    ['anna WRONG state', 'anna WRONG password'],
  );
  const starting = await said({ ...options, startTls: true });
  assert.match(starting.wrong.join(), /TLS: The server refuses StartTLS \(result code 52\)/);
  service.set({ accountExpires: ['1'] });
  const expired = await said(options);
  assert.match(
    expired.wrong.join(),
    /search account: The server refuses .*: account expired in the directory\. Mend/,
  );
  const signing = await startActiveDirectory(t, { requiresSigning: true });
  const refused = await said({ ...options, servers: [signing.url] });
  assert.match(refused.wrong.join(), /search account: The server takes passwords over TLS only/);
});
