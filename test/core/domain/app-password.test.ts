import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { blockHolds, parseBlock } from '../../../src/core/domain/address-block.ts';
import {
  APP_PASSWORD_BYTES,
  APP_PASSWORD_FORM,
  appPasswordUseIsDue,
  faultOfAppPasswordName,
  faultOfUse,
  makeAppPassword,
} from '../../../src/core/domain/app-password.ts';
import { anAppPassword, NOW } from '../storage/conformance/samples.ts';

/** The bytes of base32 in lower case (RFC 4648 section 6). */
function decoded(base32: string): Buffer {
  const bits = [...base32]
    .map((digit) => 'abcdefghijklmnopqrstuvwxyz234567'.indexOf(digit).toString(2).padStart(5, '0'))
    .join('');
  return Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
}

test('an app password is tap_ and all of its random bits in base32', () => {
  // The example that `base32` of coreutils gives.
  assert.equal(makeAppPassword(Buffer.from('0123456789abcdefghij')), 'tap_gaytemzugu3doobzmfrggzdfmztwq2lk');
  const random = fc.uint8Array({ minLength: APP_PASSWORD_BYTES, maxLength: APP_PASSWORD_BYTES });
  fc.assert(
    fc.property(random, (bytes) => {
      const made = makeAppPassword(Buffer.from(bytes));
      assert.ok(APP_PASSWORD_FORM.test(made), made);
      assert.deepEqual(decoded(made.slice('tap_'.length)), Buffer.from(bytes));
    }),
  );
});

test('only the exact form is that of an app password', () => {
  const made = makeAppPassword(Buffer.alloc(APP_PASSWORD_BYTES));
  for (const other of [
    `${made}a`,
    made.slice(0, -1),
    ` ${made}`,
    `${made}\n`,
    made.toUpperCase(),
    'tap_',
    '',
  ])
    assert.equal(APP_PASSWORD_FORM.test(other), false, JSON.stringify(other));
  assert.equal(APP_PASSWORD_FORM.test(made.replace('tap_', 'tap-')), false);
  assert.equal(APP_PASSWORD_FORM.test(made.replace(/a$/, '1')), false);
});

test('a name of an app password is short, printable, and no app password itself', () => {
  for (const name of ['mail', 'Zoë’s Outlook at work', 'x'.repeat(64), '\u{1f600}'.repeat(64)])
    assert.equal(faultOfAppPasswordName(name), undefined, name);
  for (const name of ['', ' ', ' mail', 'mail ', 'a\nb', 'a\u202eb', 'x'.repeat(65)])
    assert.match(faultOfAppPasswordName(name) ?? '', /1 to 64 characters/, JSON.stringify(name));
  assert.match(faultOfAppPasswordName('tap_gaytemzugu3doobz') ?? '', /could be an app password/);
});

test('an app password is refused from its expiry on, and at any address that its list does not name', () => {
  const free = anAppPassword(1, 1, 'mail');
  assert.equal(faultOfUse(free, NOW, '192.0.2.1'), undefined);
  const bound = { ...free, expiresAt: NOW, addresses: ['192.0.2.0/24', '2001:db8::/48'] };
  for (const address of ['192.0.2.255', '2001:db8:0:ffff::/64'])
    assert.equal(faultOfUse(bound, NOW - 1, address), undefined, address);
  for (const address of ['192.0.3.0', '2001:db8:1::/64', 'unknown'])
    assert.equal(faultOfUse(bound, NOW - 1, address), 'address not allowed for app password', address);
  assert.equal(faultOfUse(bound, NOW, '192.0.2.1'), 'app password expired');
});

test('a use is stored once a minute', () => {
  const used = (usedAt: number | undefined) => anAppPassword(1, 1, 'mail', { usedAt });
  assert.equal(appPasswordUseIsDue(used(undefined), NOW), true);
  assert.equal(appPasswordUseIsDue(used(NOW - 59_999), NOW), false);
  assert.equal(appPasswordUseIsDue(used(NOW - 60_000), NOW), true);
});

test('a block of addresses has one form, and an IPv6 block narrower than /64 is refused', () => {
  const written = {
    '192.0.2.7': '192.0.2.7',
    '192.0.2.7/32': '192.0.2.7',
    '192.0.2.7/24': '192.0.2.0/24',
    '0.0.0.0/0': '0.0.0.0/0',
    '::ffff:192.0.2.7': '192.0.2.7',
    '2001:DB8::1': '2001:db8::/64',
    '2001:db8::1/48': '2001:db8::/48',
    '::/0': '::/0',
  };
  for (const [text, block] of Object.entries(written)) {
    assert.equal(parseBlock(text), block, text);
    assert.equal(parseBlock(block), block, block);
  }
  for (const text of [
    '',
    'x',
    '10',
    '010.1.1.1',
    '192.0.2.7/33',
    '192.0.2.7/',
    '192.0.2.0/2/4',
    '192.0.2.7/-1',
  ])
    assert.equal(parseBlock(text), undefined, text);
  for (const text of ['2001:db8::1/65', '::ffff:192.0.2.7/96', 'fe80::1%eth0'])
    assert.equal(parseBlock(text), undefined, text);
});

test('a block holds the addresses that begin with its bits, and none of the other kind', () => {
  assert.equal(blockHolds('192.0.2.7', '192.0.2.7'), true);
  assert.equal(blockHolds('192.0.2.7', '192.0.2.8'), false);
  for (const [block, other] of [
    ['0.0.0.0/0', '2001:db8::/64'],
    ['::/0', '192.0.2.7'],
    ['::/32', '0.0.0.0'],
  ] as const) {
    assert.equal(blockHolds(block, other), false, block);
    assert.equal(blockHolds(block, block.startsWith(':') ? '::/64' : '0.0.0.0'), true, block);
  }
});
