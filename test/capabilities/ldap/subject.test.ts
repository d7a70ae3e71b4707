import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DirectoryEntry } from '../../../src/capabilities/ldap/entry.ts';
import { anyOf, filled, forAnyName } from '../../../src/capabilities/ldap/filters.ts';
import { filterOfSubject, subjectOf } from '../../../src/capabilities/ldap/subject.ts';

const GUID = Buffer.from('78563412bc9af0de1122334455667788', 'hex');

test('an objectGUID is written as Active Directory shows it, and found again by its bytes', () => {
  const entry = new DirectoryEntry({ dn: 'cn=a', objectGUID: GUID });
  const subject = subjectOf(entry, 'objectguid');
  assert.equal(subject, '12345678-9abc-def0-1122-334455667788');
  assert.deepEqual(filterOfSubject(subject, 'objectGUID').value, GUID);
  assert.equal(
    subjectOf(new DirectoryEntry({ dn: 'cn=a', objectGUID: Buffer.from('short') }), 'objectGUID'),
    undefined,
  );
  // The library reads bytes that happen to be UTF-8 as a text where it is not told otherwise.
  const ascii = new DirectoryEntry({ dn: 'cn=a', objectGUID: 'abcdefghijklmnop' });
  assert.equal(subjectOf(ascii, 'objectGUID'), '64636261-6665-6867-696a-6b6c6d6e6f70');
});

test('another subject is a text', () => {
  assert.equal(subjectOf(new DirectoryEntry({ dn: 'cn=a', entryUUID: ['id', 'b'] }), 'ENTRYUUID'), 'id');
  assert.equal(filterOfSubject('*)(a=\\', 'entryUUID').value, '*)(a=\\');
});

test('values cannot change a filter, and are put in once', () => {
  assert.equal(
    filled('(|(uid={name})(member={dn}))', { name: '{dn}*()\\\0\x1f', dn: 'cn=a\\,b (c)' }),
    '(|(uid={dn}\\2a\\28\\29\\5c\\00\\1f)(member=cn=a\\5c,b \\28c\\29))',
  );
  assert.equal(forAnyName('(&(a=b)(uid={name}))'), '(&(a=b)(uid=*))');
  assert.equal(forAnyName('(|(mail={name}@example.org)(cn=*{name}*))'), '(|(mail=*@example.org)(cn=*))');
  assert.equal(anyOf(['(a=b)']), '(a=b)');
  assert.equal(anyOf(['(a=b)', '(c=d)']), '(|(a=b)(c=d))');
});
