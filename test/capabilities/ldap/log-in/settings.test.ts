import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  dnOf,
  groupDn,
  groupOf,
  person,
  READER,
  READER_PASSWORD,
  testsOnSlapd,
} from '../../../service/slapd.ts';
import { temporaryFolder } from '../../../service/start.ts';
import { startWithDirectory } from './with-directory.ts';

const test = await testsOnSlapd({
  entries: [
    person('anna', 'employeeNumber: 17', 'mail: anna@example.org', 'roomNumber: B 12'),
    groupOf('staff', dnOf('anna')),
    groupOf('company', groupDn('staff')),
    groupOf('board', dnOf('anna')),
  ],
});

test('groups come from their base, by their filter, nested or not', async (t, slapd) => {
  const groupsWith = async (env: Record<string, string>) => {
    const service = await startWithDirectory(t, slapd, env);
    assert.equal(await service.logIn('anna'), 200);
    return service.groups('anna');
  };
  assert.deepEqual(await groupsWith({}), ['board', 'company', 'staff']);
  assert.deepEqual(await groupsWith({ TESSERA_LDAP_NESTED_GROUPS: 'false' }), ['board', 'staff']);
  assert.deepEqual(await groupsWith({ TESSERA_LDAP_GROUP_BASE: '' }), []);
  assert.deepEqual(
    await groupsWith({ TESSERA_LDAP_GROUP_BASE: groupDn('board'), TESSERA_LDAP_NESTED_GROUPS: 'false' }),
    ['board'],
  );
  const filter = '(&(cn=s*)(member={dn}))';
  assert.deepEqual(await groupsWith({ TESSERA_LDAP_GROUP_FILTER: filter }), ['staff']);
});

test('names and profiles come from the attributes that are mapped', async (t, slapd) => {
  const service = await startWithDirectory(t, slapd, {
    TESSERA_LDAP_USER_FILTER: '(mail={name})',
    TESSERA_LDAP_ATTRIBUTES: 'name=mail,subject=employeeNumber,location=roomNumber,lastName=',
  });
  assert.equal(await service.logIn('anna'), 403);
  assert.equal(await service.logIn('Anna@example.org'), 200);
  const { id = 0, name } = (await service.user('anna@example.org')) ?? {};
  assert.equal(name, 'anna@example.org');
  await service.store.read(async ({ externalIdentities, profiles }) => {
    assert.equal((await externalIdentities.ofUser(id))?.subject, '17');
    assert.deepEqual(await profiles.find(id), { email: 'anna@example.org', location: 'B 12' });
  });
});

test('the password of the search account is read anew from its file', async (t, slapd) => {
  const file = join(await temporaryFolder(t), 'password');
  writeFileSync(file, '\n');
  const service = await startWithDirectory(t, slapd, {
    TESSERA_LDAP_BIND_DN: READER,
    TESSERA_LDAP_BIND_PASSWORD_FILE: file,
  });
  assert.equal(await service.logIn('anna'), 503);
  assert.ok(service.lines.some((line) => line.includes('that searches is empty')));
  writeFileSync(file, 'wrong\n');
  assert.equal(await service.logIn('anna'), 503);
  writeFileSync(file, `${READER_PASSWORD}\n`);
  assert.equal(await service.logIn('anna'), 200);
});
