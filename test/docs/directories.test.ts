import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { shell } from '../faces/cli/command.ts';
import { DOMAIN } from '../service/active-directory/entries.ts';
import { startActiveDirectory } from '../service/active-directory/server.ts';
import { certificateFiles } from '../service/certified.ts';
import {
  dnOf,
  groupOf,
  person,
  READER_PASSWORD,
  testsOnSlapd,
  USER_PASSWORD,
  USERS,
} from '../service/slapd.ts';
import { startTestService, temporaryFolder } from '../service/start.ts';
import { blocksIn, pageAt, partOf } from './page.ts';

const PAGE = pageAt('how-to/log-in-with-a-directory.md');
/** The blocks of a kind in a part of the page, in their order. */
const blocksOf = (heading: string, kind: string) => blocksIn(partOf(PAGE, heading), kind);

const [CHECK = ''] = blocksOf('## 3. Check it', 'sh');

/** The settings that a block exports, with these in place of some. */
function exported(block: string, given: Readonly<Record<string, string>>): Record<string, string> {
  const lines = [...block.matchAll(/^export (\w+)=(?:'([^']*)'|(\S+))$/gm)];
  const shown = Object.fromEntries(
    lines.map(([, name = '', quoted, plain]) => [name, quoted ?? plain ?? '']),
  );
  for (const name of Object.keys(given)) assert.ok(name in shown, `the page does not set ${name}`);
  return { ...shown, ...given };
}

/** The text without host, port, certificate and ids, which differ from server to server. */
const masked = (text: string) =>
  text
    .replace(/^ldaps:.*\n/gm, 'SERVER\n')
    .replace(/^ {2}ok {5}name .*\n/gm, '')
    .replace(/(?<=connection +).*(?= answers)/g, 'HOST')
    .replace(/(?<=TLS +TLSv1\.3, ).*/g, 'CERTIFICATE')
    .replace(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, 'ID')
    .replace(/ +/g, ' ');

/** Runs a check of the page, with the password on standard input. */
async function checked(t: TestContext, block: string, env: Record<string, string>, password: string) {
  const data = env.TESSERA_DATA ?? (await temporaryFolder(t));
  const line = block.replace('bin/tessera', 'tessera').replace('--password', '--password-stdin');
  const ended = await shell(line, { env: { ...env, TESSERA_DATA: data }, stdin: `${password}\n` });
  assert.deepEqual([ended.stderr, ended.code], ['', 0], ended.stdout);
  return masked(ended.stdout);
}

const ANNA = `dn: ${dnOf('anna')}
objectClass: inetOrgPerson
uid: anna
cn: Anna Berg
givenName: Anna
sn: Berg
mail: anna@example.org
userPassword: ${USER_PASSWORD}`;

const onSlapd = await testsOnSlapd({
  entries: [ANNA, person('ben'), groupOf('crew', dnOf('anna')), groupOf('staff', dnOf('anna'), USERS)],
});

onSlapd(
  'the page about OpenLDAP: its settings, its check, the first login and the role of a group',
  async (t, slapd) => {
    const [keeping = ''] = blocksOf('## 1. Keep the password of the account', 'sh');
    const [settings = ''] = blocksOf('### OpenLDAP', 'sh');
    const [login = '', role = ''] = blocksOf('## 4. Log in', 'sh');
    const folder = await temporaryFolder(t);
    const file = join(folder, 'ldap-password');
    await shell(keeping.replace('/etc/tessera/ldap-password', file));
    assert.equal(readFileSync(file, 'utf8'), READER_PASSWORD);
    const env = exported(settings, {
      TESSERA_LDAP_URLS: slapd.tlsUrl,
      TESSERA_LDAP_CA: slapd.certificate.ca,
      TESSERA_LDAP_BIND_PASSWORD_FILE: file,
    });
    const service = await startTestService(t, env);
    const here = { ...env, TESSERA_DATA: service.data };
    const [shown = ''] = blocksOf('## 3. Check it', 'text');
    assert.equal(await checked(t, CHECK, here, USER_PASSWORD), masked(shown));
    const answered = await shell(login.replace('http://127.0.0.1:8080/alfresco/service', service.url));
    assert.match(answered.stdout, /"ticket":"TICKET_[0-9a-f]{40}"/);
    const changed = await shell(role.replace('bin/tessera', 'tessera'), { env: here });
    assert.deepEqual([changed.stderr, changed.code], ['', 0]);
    const told = await shell('tessera users show anna', { env: here });
    assert.match(told.stdout, /^role +operator$[\s\S]*^provider +ldap$/m);
  },
);

test('the page about Active Directory: its settings find anna with nested groups, as it shows', async (t) => {
  const { ca, cert, key } = certificateFiles(t);
  const certificate = { cert: readFileSync(cert), key: readFileSync(key) };
  const directory = await startActiveDirectory(t, { certificate });
  directory.user('tessera', READER_PASSWORD);
  const given = { givenName: ['Anna'], sn: ['Berg'], mail: ['anna@example.com'] };
  const anna = directory.user('anna', USER_PASSWORD, given);
  directory.entries.rename(anna.dn, `CN=Anna Berg,CN=Users,${DOMAIN}`);
  directory.group('all', [directory.group('staff', [anna])]);
  const folder = await temporaryFolder(t);
  const file = join(folder, 'ldap-password');
  writeFileSync(file, READER_PASSWORD);
  const [, settings = ''] = blocksOf('### Active Directory', 'sh');
  const env = exported(settings, {
    TESSERA_LDAP_URLS: directory.url,
    TESSERA_LDAP_CA: ca,
    TESSERA_LDAP_BIND_PASSWORD_FILE: file,
  });
  const service = await startTestService(t, env);
  const [shown = ''] = blocksOf('### Active Directory', 'text');
  const said = await checked(t, CHECK, { ...env, TESSERA_DATA: service.data }, USER_PASSWORD);
  assert.ok(said.replace('staff, all', 'all, staff').endsWith(masked(shown)), said);
});

test('the page about lldap has settings that are read, and that ask for nothing that lldap lacks', async (t) => {
  const [settings = ''] = blocksOf('### lldap', 'sh');
  const folder = await temporaryFolder(t);
  const file = join(folder, 'password');
  writeFileSync(file, 'x');
  const env = exported(settings, { TESSERA_LDAP_BIND_PASSWORD_FILE: file });
  const { stdout, code } = await shell('tessera settings', { env: { ...env, TESSERA_DATA: folder } });
  assert.equal(code, 0);
  assert.match(stdout, /TESSERA_LDAP_GROUP_FILTER +\(member=\{dn\}\)/);
});
