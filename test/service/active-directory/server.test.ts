import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { type TestContext, test } from 'node:test';
import { Client, EqualityFilter, type SearchOptions } from 'ldapts';
import { certified } from '../certified.ts';
import { DOMAIN, fileTime } from './entries.ts';
import { type ActiveDirectory, startActiveDirectory } from './server.ts';

const IN_CHAIN = '1.2.840.113556.1.4.1941';

function clientOf(t: TestContext, { url }: ActiveDirectory, ca?: string) {
  const client = new Client({ url, ...(ca && { tlsOptions: { ca } }) });
  t.after(() => client.unbind());
  return client;
}

/** A directory, and a client that is bound as one of its users. */
async function bound(t: TestContext) {
  const directory = await startActiveDirectory(t);
  const service = directory.user('service', 'service-password');
  const client = clientOf(t, directory);
  await client.bind(service.dn, 'service-password');
  return { directory, client };
}

const namesOf = async (client: Client, filter: string, options: SearchOptions = {}) =>
  (await client.search(DOMAIN, { filter, attributes: ['cn'], ...options })).searchEntries.map(({ cn }) => cn);

const rejects = async (promise: Promise<unknown>, code: number, message: RegExp) =>
  assert.rejects(promise, (error: Error & { code: number }) => {
    assert.equal(error.code, code);
    assert.match(error.message, message);
    return true;
  });

test('a bind takes the DN, the principal name or the account name, and tells why it is refused', async (t) => {
  const directory = await startActiveDirectory(t);
  const anna = directory.user('anna', 'right');
  const bind = (name: string, password: string) => clientOf(t, directory).bind(name, password);
  for (const name of [anna.dn, 'anna@example.com', 'EXAMPLE\\anna']) await bind(name, 'right');
  const refused = (data: string, password = 'right') =>
    rejects(bind(anna.dn, password), 49, new RegExp(`AcceptSecurityContext error, data ${data}, v`));
  await refused('52e', 'wrong');
  anna.set({ userAccountControl: ['514'] });
  await refused('52e', 'wrong');
  await refused('533');
  anna.set({ userAccountControl: ['512'], accountExpires: [fileTime(Date.now() - 1_000)] });
  await refused('701');
  anna.set({ accountExpires: ['0'], pwdLastSet: ['0'] });
  await refused('773');
  anna.set({ pwdLastSet: ['1'], lockoutTime: [fileTime(Date.now())] });
  await refused('775', 'wrong');
  anna.set({ lockoutTime: [fileTime(Date.now() - 31 * 60_000)] });
  await bind(anna.dn, 'right');
  anna.passwordExpired = true;
  await refused('532');
  await rejects(bind('CN=unknown,DC=example,DC=com', 'right'), 49, /data 52e/);
});

test('a bind without a password succeeds, and still nothing can be searched', async (t) => {
  const directory = await startActiveDirectory(t);
  const client = clientOf(t, directory);
  await client.bind(directory.user('anna', 'right').dn, '');
  await rejects(namesOf(client, '(cn=*)'), 1, /a successful bind must be completed/);
  const { searchEntries } = await client.search('', { scope: 'base' });
  assert.equal(searchEntries[0]?.defaultNamingContext, DOMAIN);
});

test('filters find by equality, parts, presence, order, bits and chains of groups', async (t) => {
  const { directory, client } = await bound(t);
  const anna = directory.user('anna', 'x', { mail: ['Anna@example.com'], userAccountControl: ['514'] });
  const ben = directory.user('ben', 'x');
  const inner = directory.group('inner', [anna]);
  const outer = directory.group('outer', [inner, ben]);
  inner.set({ member: [anna.dn, outer.dn] });
  const finds = async (filter: string, ...names: string[]) =>
    assert.deepEqual(await namesOf(client, filter), names);
  await finds('(sAMAccountName=ANNA)', 'anna');
  await finds('(mail=anna*exam*.com)', 'anna');
  await finds('(&(objectClass=user)(!(mail=*))(!(cn=service)))', 'ben');
  await finds('(&(objectCategory=person)(|(cn=anna)(cn=ben)))', 'anna', 'ben');
  await finds('(userAccountControl>=514)', 'anna');
  await finds('(userAccountControl:1.2.840.113556.1.4.803:=2)', 'anna');
  await finds(`(memberOf:${IN_CHAIN}:=${outer.dn})`, 'anna', 'ben', 'inner', 'outer');
  await finds(`(member:${IN_CHAIN}:=${anna.dn})`, 'inner', 'outer');
  await finds(`(memberOf=${outer.dn})`, 'ben', 'inner');
});

test('an objectGUID is 16 bytes, finds its entry, and stays when the entry is renamed', async (t) => {
  const { directory, client } = await bound(t);
  const anna = directory.user('anna', 'x');
  const { dn } = anna;
  directory.group('staff', [anna]);
  const guidOf = async () => {
    const options: SearchOptions = { scope: 'base', explicitBufferAttributes: ['objectGUID'] };
    const [entry] = (await client.search(dn, options)).searchEntries;
    return entry?.objectGUID as Buffer;
  };
  const value = await guidOf();
  assert.equal(value.length, 16);
  directory.entries.rename(dn, `CN=Anna Berg,CN=Users,${DOMAIN}`);
  const filter = new EqualityFilter({ attribute: 'objectGUID', value });
  const [after] = (await client.search(DOMAIN, { filter, attributes: ['memberOf'] })).searchEntries;
  assert.deepEqual(after, {
    dn: `CN=Anna Berg,CN=Users,${DOMAIN}`,
    memberOf: `CN=staff,OU=Groups,${DOMAIN}`,
  });
});

test('an answer has at most 1,000 entries, pages have all, and 1,501 values come in ranges', async (t) => {
  const { directory, client } = await bound(t);
  const many = Array.from({ length: 1_501 }, (_, at) => directory.user(`user${at}`, 'x'));
  const staff = directory.group('staff', many);
  await rejects(namesOf(client, '(cn=user*)'), 4, /./);
  const paged = await namesOf(client, '(cn=user*)', { paged: { pageSize: 400 } });
  assert.equal(new Set(paged).size, 1_501);
  const rangeOf = async (attribute: string) => {
    const [entry = { dn: '' }] = (await client.search(staff.dn, { scope: 'base', attributes: [attribute] }))
      .searchEntries;
    return Object.entries(entry).filter(([name]) => name.startsWith(`${attribute.split(';')[0]};`));
  };
  assert.deepEqual(
    (await rangeOf('member')).map(([name, values]) => [name, values.length]),
    [['member;range=0-1499', 1_500]],
  );
  assert.deepEqual(await rangeOf('member;range=1500-*'), [['member;range=1500-*', many[1_500]?.dn]]);
});

test('a search from the root refers to other servers, and one elsewhere is referred or has no object', async (t) => {
  const { client } = await bound(t);
  const { searchReferences } = await client.search(DOMAIN, { filter: '(cn=service)' });
  assert.equal(searchReferences.length, 3);
  assert.match(searchReferences[0] ?? '', /^ldap:\/\/ForestDnsZones\./);
  await rejects(client.search('DC=other,DC=example'), 10, /RefErr/);
  await rejects(client.search(`OU=gone,${DOMAIN}`), 32, /NO_OBJECT/);
});

test('by ldaps its certificate is checked; without TLS it refuses StartTLS, and passwords if it is told so', async (t) => {
  const { ca, ...certificate } = certified(t);
  const secure = await startActiveDirectory(t, { certificate });
  secure.user('anna', 'right');
  await clientOf(t, secure, readFileSync(ca, 'utf8')).bind('anna@example.com', 'right');
  await assert.rejects(clientOf(t, secure).bind('anna@example.com', 'right'), /self-signed|unable to verify/);
  const plain = await startActiveDirectory(t, { requiresSigning: true });
  plain.user('anna', 'right');
  await rejects(clientOf(t, plain).startTLS(), 52, /Error initializing SSL\/TLS/);
  await rejects(clientOf(t, plain).bind('anna@example.com', 'right'), 8, /integrity checking/);
  assert.deepEqual(plain.binds, ['anna@example.com']);
});
