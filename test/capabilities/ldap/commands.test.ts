import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, type TestContext, test } from 'node:test';
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
import { temporaryFolder } from '../../service/start.ts';
import { commandLine } from '../action-definitions/nodes/command-line.ts';

const skip = whyNoSlapd();
let slapd: Slapd;

before(async () => {
  if (skip !== undefined) return;
  const groups = [groupOf('inner', dnOf('anna')), groupOf('outer', groupDn('inner'))];
  slapd = await Slapd.start({ entries: [person('anna', 'mail: anna@example.org'), ...groups] });
});

after(() => slapd?.remove());

/** A command line with the settings of the directory, and the data folder of its own. */
async function settingUp(t: TestContext) {
  const data = await temporaryFolder(t);
  const passwordFile = join(data, 'reader');
  writeFileSync(passwordFile, `${READER_PASSWORD}\n`);
  const env = {
    TESSERA_DATA: data,
    TESSERA_LDAP_URLS: slapd.url,
    TESSERA_LDAP_START_TLS: 'true',
    TESSERA_LDAP_CA: slapd.certificate.ca,
    TESSERA_LDAP_BIND_DN: READER,
    TESSERA_LDAP_BIND_PASSWORD_FILE: passwordFile,
    TESSERA_LDAP_USER_BASE: USERS,
    TESSERA_LDAP_GROUP_BASE: GROUPS,
    TESSERA_LDAP_ATTRIBUTES: 'jobTitle=,telephone=,mobile=,location=,organization=,firstName=',
  };
  return async (words: string, more: Record<string, string> = {}, stdin = '') => {
    const ended = await commandLine(words.split(' '), { ...env, ...more }, stdin);
    assert.doesNotMatch(ended.stdout + ended.stderr, new RegExp(`${READER_PASSWORD}|${USER_PASSWORD}`));
    return ended;
  };
}

/** The output of the check for a working directory, without its last part. */
const printed = () => `settings
  ok     users           (&(objectClass=inetOrgPerson)(uid={name})) below ou=people,dc=example,dc=org
  ok     groups          (|(member={dn})(uniqueMember={dn})(memberUid={name})) below ou=groups,dc=example,dc=org
  ok     attributes      lastName=sn, email=mail, name=uid, subject=entryUUID, group=cn
${slapd.url}
  ok     connection      127.0.0.1:${slapd.port} answers
  ok     TLS             TLSv1.3, certificate of old, signed by Authority of a test, valid until <day>
  ok     search account  cn=reader,dc=example,dc=org may enter
searches
  ok     user base       ou=people,dc=example,dc=org is there
  ok     users           the filter finds 1: anna
  ok     group base      ou=groups,dc=example,dc=org is there
anna
  ok     entry           uid=anna,ou=people,dc=example,dc=org
  ok     identity        name anna; entryUUID <uuid>
  ok     profile         lastName anna; email anna@example.org
  ok     state           active
  ok     groups          inner, outer
  ok     password        it is right
here
`;

const masked = (text: string) =>
  text
    .replace(/(?<=until )\d{4}-\d\d-\d\d/, '<day>')
    .replace(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/, '<uuid>');

test('the check goes through a working directory, to the password and the role of a person', {
  skip,
}, async (t) => {
  const tessera = await settingUp(t);
  const check = (env: Record<string, string> = {}) =>
    tessera('ldap check anna --password-stdin', env, `${USER_PASSWORD}\n`);
  const first = await check();
  assert.deepEqual([first.stderr, first.code], ['', 0]);
  assert.ok(masked(first.stdout).startsWith(printed()), masked(first.stdout));
  assert.match(first.stdout, /ok {5}user {12}not looked for, since there is no store yet/);
  await tessera('groups add outer --role operator');
  assert.match(
    (await check()).stdout,
    /WRONG +role +the group outer gives a role here, .*TESSERA_LDAP_ROLE_GROUPS/,
  );
  const { stdout } = await check({ TESSERA_LDAP_ROLE_GROUPS: 'outer' });
  const here =
    '  ok     user            the first login adds the user\n  ok     role            operator, by the group outer\n';
  assert.equal(masked(stdout), printed() + here);
});

test('the check says what the name is here: a local user, one to take over, or a removed one', {
  skip,
}, async (t) => {
  const tessera = await settingUp(t);
  await tessera('users add anna --password-stdin', {}, 'four quiet rivers meeting\n');
  const local = await tessera('ldap check anna');
  assert.match(
    local.stdout,
    /WRONG {2}user +"anna" is a local user here, .* TESSERA_LDAP_TAKES_LOCAL_NAMES=true\.$/m,
  );
  assert.deepEqual([local.stderr, local.code], ['1 step is wrong.\n', 1]);
  const taking = { TESSERA_LDAP_TAKES_LOCAL_NAMES: 'true' };
  assert.match(
    (await tessera('ldap check anna', taking)).stdout,
    /ok +user +the first login takes over the local user "anna"/,
  );
  await tessera('users change anna --role auditor');
  assert.match(
    (await tessera('ldap check anna', taking)).stdout,
    /WRONG +user +"anna" is a local user with a role here/,
  );
  await tessera('users remove anna');
  assert.match((await tessera('ldap check anna')).stdout, /WRONG +user +A user "anna" was removed here/);
});

test('a fault in the directory ends the command with 1, wrong settings with 2', { skip }, async (t) => {
  const tessera = await settingUp(t);
  const base = await tessera('ldap check anna', { TESSERA_LDAP_USER_BASE: 'ou=gone,dc=example,dc=org' });
  assert.match(
    base.stdout,
    /WRONG {2}user base +There is no entry "ou=gone,.* The server has dc=example,dc=org\.\n$/,
  );
  assert.deepEqual([base.stderr, base.code], ['1 step is wrong.\n', 1]);
  const password = await tessera('ldap check anna --password-stdin', {}, 'wrong\n');
  assert.match(password.stdout, /WRONG {2}password +The directory refuses the password: it is wrong\.$/m);
  const off = { TESSERA_LDAP_URLS: '', TESSERA_LDAP_USER_BASE: '', TESSERA_LDAP_BIND_DN: '' };
  const none = await tessera('ldap check', off);
  assert.deepEqual(
    [none.stderr, none.code],
    ['No directory is set: name its servers in TESSERA_LDAP_URLS.\n', 1],
  );
  for (const words of ['ldap check anna --password', 'ldap check --password-stdin'])
    assert.equal((await tessera(words)).code, 2, words);
});
