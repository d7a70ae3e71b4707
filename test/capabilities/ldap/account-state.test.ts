import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DirectoryEntry } from '../../../src/capabilities/ldap/entry.ts';
import { stateOf } from '../../../src/capabilities/ldap/person.ts';

const NOW = Date.UTC(2026, 1, 3, 4, 5);
const state = (attributes: Record<string, string>) =>
  stateOf(new DirectoryEntry({ dn: 'cn=a', ...attributes }), NOW);

/** Active Directory's date: 100 nanoseconds since 1601. */
const ticks = (at: number) => String((BigInt(at) + 11_644_473_600_000n) * 10_000n);

test('the bits of Active Directory tell who is disabled, locked or expired', () => {
  assert.equal(state({}), 'active');
  assert.equal(state({ userAccountControl: '512', accountExpires: '0' }), 'active');
  assert.equal(state({ userAccountControl: '514' }), 'disabled');
  assert.equal(state({ USERACCOUNTCONTROL: '66050' }), 'disabled');
  assert.equal(state({ userAccountControl: '512', 'msDS-User-Account-Control-Computed': '16' }), 'locked');
  assert.equal(state({ accountExpires: '9223372036854775807' }), 'active');
  assert.equal(state({ accountExpires: ticks(NOW + 1_000) }), 'active');
  assert.equal(state({ accountExpires: ticks(NOW) }), 'expired');
  assert.equal(state({ accountExpires: 'never' }), 'active');
});

test('the attributes of OpenLDAP and 389 Directory Server tell it, too', () => {
  assert.equal(state({ pwdAccountLockedTime: '20260203040000Z' }), 'locked');
  assert.equal(state({ pwdAccountLockedTime: '000001010000Z' }), 'disabled');
  assert.equal(state({ pwdEndTime: '20260203040459Z' }), 'expired');
  assert.equal(state({ pwdEndTime: '20260203040501.5Z' }), 'active');
  assert.equal(state({ pwdEndTime: 'soon' }), 'active');
  assert.equal(state({ nsAccountLock: 'TRUE' }), 'disabled');
  assert.equal(state({ nsAccountLock: 'false' }), 'active');
});
