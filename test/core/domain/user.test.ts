import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  faultOfNewName,
  holderOf,
  isLocked,
  isPasswordless,
  isPossibleName,
  lookalikeKey,
  maskedName,
  newUser,
  UNTIL_UNLOCKED,
  userKey,
  withDisabled,
} from '../../../src/core/domain/user.ts';
import { userLike } from './samples.ts';

test('names that differ only by case or by composition are one name', () => {
  for (const [one, other] of [
    ['admin', 'ADMIN'],
    ['Zo\u00eb', 'ZOE\u0308'],
    ['\u00c5ngstr\u00f6m', 'a\u030angstro\u0308m'],
    ['\u212a', 'k'],
    ['\u03a9mega', '\u2126mega'],
  ] as const) {
    assert.equal(userKey(one), userKey(other), `${one} and ${other}`);
  }
});

test('names that look alike but are not the same stay different', () => {
  for (const [one, other] of [
    ['stra\u00dfe', 'strasse'],
    ['admin', 'admin '],
    ['admin', '\u0430dmin'],
    ['\uff41dmin', 'admin'],
  ] as const) {
    assert.notEqual(userKey(one), userKey(other), `${one} and ${other}`);
  }
});

test('a new user is found in any composition of the name, and keeps the case of the name', () => {
  for (const namesCaseSensitive of [true, false]) {
    const { key, name } = newUser('ZOE\u0308', { namesCaseSensitive, passwordHash: undefined });
    assert.equal(key, userKey('ZO\u00cb', namesCaseSensitive));
    assert.equal(name, 'ZO\u00cb');
  }
});

test('the key of a key is the key itself', () => {
  for (const name of ['Admin', '\u0130stanbul', 'ZOE\u0308', '\u1e9e', '\u03a3\u03a3', 'J\u030c', '\u212b']) {
    assert.equal(userKey(userKey(name)), userKey(name), name);
  }
});

test('case matters if the setting says so, composition never does', () => {
  assert.notEqual(userKey('Admin', true), userKey('admin', true));
  assert.equal(userKey('Zo\u00eb', true), userKey('Zoe\u0308', true));
});

test('a possible name has 1 to 256 code points of any size', () => {
  assert.equal(isPossibleName(''), false);
  assert.equal(isPossibleName('a'), true);
  assert.equal(isPossibleName('\u{1f511}'.repeat(256)), true);
  assert.equal(isPossibleName('\u{1f511}'.repeat(257)), false);
  assert.equal(isPossibleName('a'.repeat(257)), false);
});

test('a possible name contains no invisible characters', () => {
  for (const hidden of [
    '\0',
    '\t',
    '\n',
    '\u007f',
    '\u0085',
    '\u00ad',
    '\u200b',
    '\u202e',
    '\ufeff',
    '\ue000',
    '\u{100000}',
    '\u2028',
    '\u2029',
    '\ud800',
    '\udc00',
  ]) {
    const code = hidden.codePointAt(0)?.toString(16);
    assert.equal(isPossibleName(`a${hidden}b`), false, `U+${code}`);
  }
  for (const name of ['a b', "o'neill", 'a;DROP TABLE', '<b>', '\u65e5\u672c', 'a\u00a0b', '"', '%00']) {
    assert.equal(isPossibleName(name), true, name);
  }
});

test('a new user cannot have a name that means something else in a credential or a path, or that is broken', () => {
  for (const [name, why] of [
    ['', /1 to 256 characters/],
    ['a\nb', /control/],
    ['J\ufffdrg', /not UTF-8/],
    ['a:b', /no colon/],
    ['ROLE_TICKET', /ROLE_TICKET/],
    ['role_Ticket', /ROLE_TICKET/],
    ['ROLE_TIC\u212aET', /ROLE_TICKET/],
    ['TICKET_', /read as a ticket/],
    ['TICKET_abc', /read as a ticket/],
    // The kelvin sign, which NFC turns into a K.
    ['TIC\u212aET_abc', /read as a ticket/],
    ['-me-', /stands for the caller/],
  ] as const) {
    assert.match(faultOfNewName(name) ?? 'no fault', why, name);
  }
});

test('a new user can have any other name', () => {
  for (const name of ['admin', 'ticket_office', 'ROLE_TICKETS', '-you-', 'me', 'a@b.example', 'Zo\u00eb']) {
    assert.equal(faultOfNewName(name), undefined, name);
  }
});

test('a masked name shows its first two letters and its length', () => {
  assert.equal(maskedName('hunter2-is-secret'), 'hu\u2026 (17 characters)');
  assert.equal(maskedName('a'), 'a\u2026 (1 characters)');
  assert.equal(maskedName(''), '\u2026 (0 characters)');
  assert.equal(maskedName('\u{1f511}\u{1f5dd}secret'), '\u{1f511}\u{1f5dd}\u2026 (8 characters)');
});

test('a masked name contains no character that could forge a line', () => {
  for (const name of ['\n\nforged', 'a\u2028forged', '\u202eab', '\ud800x']) {
    assert.ok(!/[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Zl}\p{Zp}]/u.test(maskedName(name)), JSON.stringify(name));
  }
});

test('a user is locked until the time of the lock, and by hand until the latest possible date', () => {
  assert.equal(isLocked(userLike({ lockedUntil: 0 }), 0, 1_000), false);
  assert.equal(isLocked(userLike({ lockedUntil: 1_000 }), 999, 1_000), true);
  assert.equal(isLocked(userLike({ lockedUntil: 1_000 }), 1_000, 1_000), false);
  assert.equal(isLocked(userLike({ lockedUntil: UNTIL_UNLOCKED }), Date.UTC(9999, 11, 31), 1_000), true);
  assert.equal(isLocked(userLike({ lockedUntil: 5_000 }), 4_000, 1_000), true);
  assert.equal(isLocked(userLike({ lockedUntil: 5_000 }), 3_999, 1_000), false);
  assert.ok(!Number.isNaN(new Date(UNTIL_UNLOCKED).getTime()));
  assert.ok(Number.isNaN(new Date(UNTIL_UNLOCKED + 1).getTime()));
});

test('names look alike if they differ by compatible characters or by case alone', () => {
  assert.equal(lookalikeKey('\uff41nna'), 'anna');
  assert.equal(lookalikeKey('STRA\u00dfE'), 'strasse');
  assert.equal(lookalikeKey('Anna', true), 'Anna');
  assert.notEqual(lookalikeKey('\u0430nna'), lookalikeKey('anna'), 'Cyrillic');
  const tooLong = `${'A'.repeat(512)}\uff41`;
  assert.equal(lookalikeKey(tooLong), tooLong);
  assert.equal(lookalikeKey('A'.repeat(512)), 'a'.repeat(512));
});

test('no new user is called . or .., or has a name that begins or ends with a blank', () => {
  assert.match(faultOfNewName('.') ?? '', /choose another name/);
  assert.match(faultOfNewName('..') ?? '', /choose another name/);
  assert.equal(faultOfNewName('...'), undefined);
  assert.match(faultOfNewName('\u3000anna') ?? '', /take it off/);
  assert.match(faultOfNewName('anna\u034f') ?? '', /take it off/);
  assert.match(faultOfNewName('') ?? '', /./);
  assert.equal(faultOfNewName('anna maria'), undefined);
});

test('a user is without a password if there is neither a hash nor a provider', () => {
  const provider = 'ldap';
  assert.equal(isPasswordless({ passwordHash: undefined, provider: undefined }), true);
  assert.equal(isPasswordless({ passwordHash: 'hash', provider: undefined }), false);
  assert.equal(isPasswordless({ passwordHash: undefined, provider }), false);
});

test('disabling and enabling both raise the generation', () => {
  assert.deepEqual(withDisabled({ generation: 4 }, true), { disabled: true, generation: 5 });
  assert.deepEqual(withDisabled({ generation: 5 }, false), { disabled: false, generation: 6 });
});

test('what is looked up with a ticket has no password', () => {
  assert.deepEqual(Object.keys(holderOf(userLike())), [
    'id',
    'name',
    'administrator',
    'disabled',
    'lockedUntil',
    'generation',
  ]);
});

test('a new user is enabled, not locked out, no administrator, has no second factor, and never logged in', () => {
  const user = newUser('Ann', { namesCaseSensitive: false, passwordHash: 'hash' });
  assert.deepEqual(user, {
    name: 'Ann',
    key: 'ann',
    administrator: false,
    passwordHash: 'hash',
    disabled: false,
    lockedUntil: 0,
    generation: 0,
    mustChangePassword: false,
    provider: undefined,
    hasSecondFactor: false,
    secondFactorAskedAt: 0,
    lastLoginAt: 0,
  });
});
