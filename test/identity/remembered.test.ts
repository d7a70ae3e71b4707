import assert from 'node:assert/strict';
import { test } from 'node:test';
import { RememberedPairs } from '../../src/identity/remembered.ts';

const MINUTE = 60_000;

test('a pair is remembered for a minute and not a moment longer', () => {
  const pairs = new RememberedPairs();
  assert.equal(pairs.has(1, 'secret', 'hash', 0), false);
  pairs.remember(1, 'secret', 'hash', 0);
  assert.equal(pairs.has(1, 'secret', 'hash', MINUTE - 1), true);
  assert.equal(pairs.has(1, 'secret', 'hash', MINUTE), false);
});

test('a pair is bound to its user, its password and the hash that it was verified against', () => {
  const pairs = new RememberedPairs();
  pairs.remember(1, 'secret', 'hash', 0);
  assert.equal(pairs.has(2, 'secret', 'hash', 0), false);
  assert.equal(pairs.has(1, 'Secret', 'hash', 0), false);
  assert.equal(pairs.has(1, '', 'hash', 0), false);
  assert.equal(pairs.has(1, 'secret', 'another hash', 0), false);
});

test('a user and a password cannot be cut elsewhere to make another pair', () => {
  const pairs = new RememberedPairs();
  pairs.remember(1, '2\0secret', 'hash', 0);
  assert.equal(pairs.has(12, 'secret', 'hash', 0), false);
  assert.equal(pairs.has(1, '2secret', 'hash', 0), false);
});

test('a password is the same pair composed or apart', () => {
  const pairs = new RememberedPairs();
  pairs.remember(1, 'Zo\u00eb', 'hash', 0);
  assert.equal(pairs.has(1, 'Zoe\u0308', 'hash', 0), true);
});

test('at most 10,000 pairs are remembered, and the oldest is forgotten first', () => {
  const pairs = new RememberedPairs();
  for (let user = 0; user <= 10_000; user += 1) pairs.remember(user, 'secret', 'hash', user / 1_000);
  assert.equal(pairs.has(0, 'secret', 'hash', 10), false);
  assert.equal(pairs.has(1, 'secret', 'hash', 10), true);
  assert.equal(pairs.has(10_000, 'secret', 'hash', 10), true);
});
