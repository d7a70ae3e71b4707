import assert from 'node:assert/strict';
import type { Directory } from '../../../src/capabilities/ldap/directory.ts';
import type { DirectoryPerson } from '../../../src/capabilities/ldap/person.ts';
import {
  dnOf,
  groupDn,
  groupOf,
  person,
  SUFFIX,
  testsOnSlapd,
  USER_PASSWORD,
  USERS,
} from '../../service/slapd.ts';
import { directoryOn } from './asked.ts';

/** Each group in the next one, and the last one in the first: a circle. */
const LEVELS = ['level1', 'level2', 'level3', 'level4', 'level5'];

const test = await testsOnSlapd({
  entries: [
    person(
      'anna',
      'givenName: Anna',
      'mail: anna@example.org',
      'mail: other@example.org',
      'title: Bürgermeisterin',
    ),
    person('ben').replace(/^uid: ben$/m, 'uid: benjamin\nuid: ben'),
    person('two.a', 'employeeNumber: 7'),
    person('two.b', 'employeeNumber: 7'),
    person('star*', 'givenName: (Star)'),
    person('comma, quoted "#"'.replaceAll(/([,"#])/g, '\\$1')).replace(
      /^uid: .*$/m,
      'uid: comma, quoted "#"',
    ),
    ...LEVELS.map((name, at) =>
      groupOf(name, ...(at === 0 ? [dnOf('anna')] : []), groupDn(LEVELS.at(at - 1) as string)),
    ),
    groupOf('others', dnOf('ben')),
    `dn: cn=refer,${USERS}\nobjectClass: referral\nobjectClass: extensibleObject\ncn: refer\nref: ldap://127.0.0.1:1/${USERS}`,
    `dn: ou=elsewhere,${SUFFIX}\nobjectClass: referral\nobjectClass: extensibleObject\nou: elsewhere\nref: ldap://127.0.0.1:1/${SUFFIX}`,
  ],
});

async function known(directory: Directory, name: string): Promise<DirectoryPerson> {
  const { person: found } = await directory.find(name);
  assert.ok(found, name);
  return found;
}

test('a person is found by the name, with subject, state and the fields of the profile', async (t, slapd) => {
  const { directory } = directoryOn(t, slapd);
  const anna = await known(directory, 'ANNA');
  const { subject, ...told } = anna;
  assert.match(subject, /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
  assert.deepEqual(told, {
    dn: dnOf('anna'),
    name: 'anna',
    state: 'active',
    passwordEnd: Number.POSITIVE_INFINITY,
    profile: {
      firstName: 'Anna',
      lastName: 'anna',
      email: 'anna@example.org',
      organization: '',
      jobTitle: 'Bürgermeisterin',
      telephone: '',
      mobile: '',
      location: '',
    },
  });
});

test('a name is never a part of the filter', async (t, slapd) => {
  const { directory } = directoryOn(t, slapd);
  for (const name of [
    '*',
    'an*',
    'anna)(uid=ben',
    '*)(uid=*',
    'anna\0',
    'anna\0)',
    'nobody\\2a',
    'x)(|(uid=*',
    '\x07',
    '\ud800',
  ])
    assert.deepEqual(await directory.find(name), { person: undefined, why: 'unknown' }, JSON.stringify(name));
  assert.equal((await known(directory, 'star*')).name, 'star*');
  const quoted = await known(directory, 'comma, quoted "#"');
  assert.deepEqual(await directory.checkPassword(quoted, USER_PASSWORD), { accepted: true });
});

test('a filter that finds two entries finds none', async (t, slapd) => {
  const { directory } = directoryOn(t, slapd, { userFilter: '(employeeNumber={name})' });
  assert.deepEqual(await directory.find('7'), { person: undefined, why: 'several entries' });
});

test('an entry without the attribute that identifies it is not used', async (t, slapd) => {
  const attributes = { name: 'uid', subject: 'employeeNumber', group: 'cn' };
  const { directory } = directoryOn(t, slapd, { attributes });
  assert.deepEqual(await directory.find('anna'), { person: undefined, why: 'no subject' });
  assert.equal((await known(directory, 'two.a')).subject, '7');
});

test('a password is checked by a bind, and an empty one is never right', async (t, slapd) => {
  const { directory } = directoryOn(t, slapd);
  const anna = await known(directory, 'anna');
  assert.deepEqual(await directory.checkPassword(anna, USER_PASSWORD), { accepted: true });
  for (const wrong of [`${USER_PASSWORD} `, `${USER_PASSWORD}\0`, '', '*'])
    assert.deepEqual(await directory.checkPassword(anna, wrong), { accepted: false, reason: undefined });
  assert.deepEqual(await directory.checkPassword({ dn: '' }, USER_PASSWORD), {
    accepted: false,
    reason: undefined,
  });
  assert.deepEqual(await directory.checkPassword({ dn: dnOf('gone') }, 'x'), {
    accepted: false,
    reason: undefined,
  });
  assert.deepEqual(await directory.checkPassword({ dn: 'no name' }, 'x'), {
    accepted: false,
    reason: undefined,
  });
  await directory.imitatePasswordCheck();
});

test('groups are found through five levels and a circle', async (t, slapd) => {
  const { directory } = directoryOn(t, slapd);
  const anna = await known(directory, 'anna');
  assert.deepEqual([...((await directory.groupsOf(anna)) ?? [])].sort(), LEVELS);
  assert.deepEqual(await directory.groupsOf(await known(directory, 'ben')), ['others']);
  assert.deepEqual(await directory.groupsOf(await known(directory, 'star*')), []);
  const direct = directoryOn(t, slapd, { nestedGroups: false }).directory;
  assert.deepEqual(await direct.groupsOf(anna), ['level1']);
  const none = directoryOn(t, slapd, { groupBase: '' }).directory;
  assert.equal(await none.groupsOf(anna), undefined);
});

test('people are found by their subjects, but only if they match the filter for users', async (t, slapd) => {
  const { directory } = directoryOn(t, slapd);
  const [anna, ben] = [await known(directory, 'anna'), await known(directory, 'ben')];
  const unknown = '00000000-0000-0000-0000-000000000000';
  const found = await directory.ofSubjects([anna.subject, ben.subject, unknown, '*)(uid=*']);
  assert.deepEqual([...found.values()].map(({ name }) => name).sort(), ['anna', 'ben']);
  assert.deepEqual(found.get(anna.subject), anna);
  const only = directoryOn(t, slapd, { userFilter: '(&(mail=*)(uid={name}))' }).directory;
  assert.deepEqual([...(await only.ofSubjects([anna.subject, ben.subject])).keys()], [anna.subject]);
  assert.equal((await directory.ofSubjects([])).size, 0);
});

test('a referral is not followed', async (t, slapd) => {
  const { directory } = directoryOn(t, slapd, { userBase: SUFFIX });
  assert.equal((await known(directory, 'anna')).name, 'anna');
  const elsewhere = directoryOn(t, slapd, { userBase: `ou=elsewhere,${SUFFIX}` }).directory;
  await assert.rejects(elsewhere.find('anna'), /answers with a referral, which is not followed/);
});

test('the password policy of the directory tells why it refuses the right password', async (t, slapd) => {
  const { directory } = directoryOn(t, slapd);
  const ben = await known(directory, 'ben');
  const reasonOf = async (password: string) => {
    const outcome = await directory.checkPassword(ben, password);
    return outcome.accepted || outcome.reason;
  };
  slapd.change(dnOf('ben'), 'add: pwdReset', 'pwdReset: TRUE');
  assert.equal(await reasonOf(USER_PASSWORD), 'password to be changed in the directory first');
  slapd.change(dnOf('ben'), 'delete: pwdReset');
  assert.equal(await reasonOf(USER_PASSWORD), true);
  for (const _ of [1, 2, 3]) await reasonOf('wrong');
  assert.equal(await reasonOf(USER_PASSWORD), 'locked in the directory');
  assert.equal((await known(directory, 'ben')).state, 'locked');
  slapd.change(dnOf('ben'), 'replace: pwdAccountLockedTime', 'pwdAccountLockedTime: 000001010000Z');
  assert.equal((await known(directory, 'ben')).state, 'disabled');
  slapd.change(dnOf('ben'), 'delete: pwdAccountLockedTime');
  assert.equal((await known(directory, 'ben')).state, 'active');
  assert.equal(await reasonOf(USER_PASSWORD), true);
});
