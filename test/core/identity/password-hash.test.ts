import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  costOf,
  hasCost,
  hashPassword,
  isTooLong,
  verifyPassword,
} from '../../../src/core/identity/password-hash.ts';

const CHEAP = { memory: 8, passes: 1, lanes: 1 };
const PHC = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}$/;

test('a hash is an argon2id PHC string with its cost', async () => {
  for (const cost of [CHEAP, { memory: 64, passes: 3, lanes: 2 }]) {
    const [, memory, passes, lanes] = PHC.exec(await hashPassword('secret', cost)) ?? [];
    assert.deepEqual([memory, passes, lanes], [cost.memory, cost.passes, cost.lanes].map(String));
  }
});

test('each hash has a salt of its own', async () => {
  assert.notEqual(await hashPassword('secret', CHEAP), await hashPassword('secret', CHEAP));
});

test('a password verifies against its hash, and no other password does', async () => {
  const hash = await hashPassword('correct horse', CHEAP);
  assert.equal(await verifyPassword(hash, 'correct horse'), true);
  for (const wrong of ['', 'correct hors', 'correct horse ', 'Correct horse', 'correct horse\0'])
    assert.equal(await verifyPassword(hash, wrong), false, JSON.stringify(wrong));
});

test('composed and decomposed characters are the same password', async () => {
  const hash = await hashPassword('Zo\u00eb \u00c5', CHEAP);
  assert.equal(await verifyPassword(hash, 'Zoe\u0308 A\u030a'), true);
  assert.equal(await verifyPassword(hash, 'Zoe A'), false);
});

test('the whole password counts: bytes after a NUL, and the last of 1,024', async () => {
  const withNul = await hashPassword('a\0b', CHEAP);
  assert.equal(await verifyPassword(withNul, 'a\0c'), false);
  const long = await hashPassword(`${'x'.repeat(1_023)}y`, CHEAP);
  assert.equal(await verifyPassword(long, `${'x'.repeat(1_023)}z`), false);
  assert.equal(await verifyPassword(long, `${'x'.repeat(1_023)}y`), true);
});

test('a password has up to 1,024 bytes of UTF-8, counted as NFC', () => {
  assert.equal(isTooLong('x'.repeat(1_024)), false);
  assert.equal(isTooLong('x'.repeat(1_025)), true);
  assert.equal(isTooLong('\u{1f511}'.repeat(256)), false);
  assert.equal(isTooLong('\u{1f511}'.repeat(257)), true);
  assert.equal(isTooLong('e\u0308'.repeat(512)), false);
  assert.equal(isTooLong('e\u0308'.repeat(513)), true);
});

test('the cost is read only from hashes of the kind that this service makes', async () => {
  const hash = await hashPassword('secret', { memory: 64, passes: 3, lanes: 2 });
  assert.deepEqual(costOf(hash), { memory: 64, passes: 3, lanes: 2 });
  for (const other of [
    hash.replace('argon2id', 'argon2i'),
    hash.replace('v=19', 'v=16'),
    '$2b$10$abc',
    '',
    `x${hash}`,
  ])
    assert.equal(costOf(other), undefined, other);
});

test('a hash has a cost when memory, passes and lanes are all the same', async () => {
  const hash = await hashPassword('secret', { memory: 64, passes: 3, lanes: 2 });
  assert.equal(hasCost(hash, { memory: 64, passes: 3, lanes: 2 }), true);
  assert.equal(hasCost(hash, { memory: 65, passes: 3, lanes: 2 }), false);
  assert.equal(hasCost(hash, { memory: 64, passes: 2, lanes: 2 }), false);
  assert.equal(hasCost(hash, { memory: 64, passes: 3, lanes: 1 }), false);
  assert.equal(hasCost('no hash', CHEAP), false);
});
