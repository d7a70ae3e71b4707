import assert from 'node:assert/strict';
import { test } from 'node:test';
import { VerifiedCredentialCache } from '../../src/identity/verified-credential-cache.ts';

const MINUTE = 60_000;
const ANN = { key: 'ann', address: '192.0.2.1' };
const keys = { name: 'name', pair: 'pair', subscriber: 'subscriber', site: 'site', address: 'address' };
const PAIR = { userId: 1, passwordHash: 'hash', keys };

test('a pair is remembered for a minute and not a moment longer', () => {
  const pairs = new VerifiedCredentialCache();
  assert.equal(pairs.find(ANN, 'secret', 0), undefined);
  pairs.add(ANN, 'secret', PAIR, 0);
  assert.deepEqual(pairs.find(ANN, 'secret', MINUTE - 1), PAIR);
  assert.equal(pairs.find(ANN, 'secret', MINUTE), undefined);
});

test('a pair is bound to its name, its address and its password', () => {
  const pairs = new VerifiedCredentialCache();
  pairs.add(ANN, 'secret', PAIR, 0);
  assert.equal(pairs.find({ ...ANN, key: 'ben' }, 'secret', 0), undefined);
  assert.equal(pairs.find({ ...ANN, address: '192.0.2.2' }, 'secret', 0), undefined);
  assert.equal(pairs.find(ANN, 'Secret', 0), undefined);
  assert.equal(pairs.find(ANN, '', 0), undefined);
});

test('an address, a name and a password cannot be cut elsewhere to make another pair', () => {
  const pairs = new VerifiedCredentialCache();
  pairs.add(ANN, '2\0secret', PAIR, 0);
  for (const [key, password] of [
    ['ann2\0', 'secret'],
    ['ann2', '\0secret'],
    ['an', 'n2\0secret'],
    ['1 3 ann', '2\0secret'],
    ['', '3 ann2\0secret'],
  ] as const)
    assert.equal(pairs.find({ ...ANN, key }, password, 0), undefined, key);
});

test('a password is the same pair composed or apart', () => {
  const pairs = new VerifiedCredentialCache();
  pairs.add(ANN, 'Zo\u00eb', PAIR, 0);
  assert.deepEqual(pairs.find(ANN, 'Zoe\u0308', 0), PAIR);
});

test('at most 10,000 pairs are remembered, and the oldest is forgotten first', () => {
  const pairs = new VerifiedCredentialCache();
  const of = (user: number) => ({ ...ANN, key: `user ${user}` });
  for (let user = 0; user <= 10_000; user += 1) pairs.add(of(user), 'secret', PAIR, user / 1_000);
  assert.equal(pairs.find(of(0), 'secret', 10), undefined);
  assert.deepEqual(pairs.find(of(1), 'secret', 10), PAIR);
  assert.deepEqual(pairs.find(of(10_000), 'secret', 10), PAIR);
});
