import assert from 'node:assert/strict';
import { test } from 'node:test';
import { RememberedPairs } from '../../src/identity/remembered.ts';

const MINUTE = 60_000;
const ANN = { name: 'ann', address: '192.0.2.1' };
const keys = { name: 'name', pair: 'pair', address: 'address' };
const PAIR = { userId: 1, passwordHash: 'hash', key: 'ann', keys };

test('a pair is remembered for a minute and not a moment longer', () => {
  const pairs = new RememberedPairs();
  assert.equal(pairs.find(ANN, 'secret', 0), undefined);
  pairs.remember(ANN, 'secret', PAIR, 0);
  assert.deepEqual(pairs.find(ANN, 'secret', MINUTE - 1), PAIR);
  assert.equal(pairs.find(ANN, 'secret', MINUTE), undefined);
});

test('a pair is bound to its name, its address and its password', () => {
  const pairs = new RememberedPairs();
  pairs.remember(ANN, 'secret', PAIR, 0);
  assert.equal(pairs.find({ ...ANN, name: 'ben' }, 'secret', 0), undefined);
  assert.equal(pairs.find({ ...ANN, address: '192.0.2.2' }, 'secret', 0), undefined);
  assert.equal(pairs.find(ANN, 'Secret', 0), undefined);
  assert.equal(pairs.find(ANN, '', 0), undefined);
});

test('an address, a name and a password cannot be cut elsewhere to make another pair', () => {
  const pairs = new RememberedPairs();
  pairs.remember(ANN, '2\0secret', PAIR, 0);
  for (const [name, password] of [
    ['ann2\0', 'secret'],
    ['ann2', '\0secret'],
    ['an', 'n2\0secret'],
    ['1 3 ann', '2\0secret'],
    ['', '3 ann2\0secret'],
  ] as const)
    assert.equal(pairs.find({ ...ANN, name }, password, 0), undefined, name);
});

test('another spelling of a name or a password is another pair', () => {
  const pairs = new RememberedPairs();
  pairs.remember(ANN, 'Zo\u00eb', PAIR, 0);
  assert.equal(pairs.find(ANN, 'Zoe\u0308', 0), undefined);
  assert.equal(pairs.find({ ...ANN, name: 'Ann' }, 'Zo\u00eb', 0), undefined);
});

test('at most 10,000 pairs are remembered, and the oldest is forgotten first', () => {
  const pairs = new RememberedPairs();
  const of = (user: number) => ({ ...ANN, name: `user ${user}` });
  for (let user = 0; user < 20_000; user += 1) pairs.remember(of(user), 'secret', PAIR, user / 1_000);
  const kept = Array.from({ length: 20_000 }, (_, user) => pairs.find(of(user), 'secret', 20) !== undefined);
  assert.equal(kept.filter(Boolean).length, 10_000);
  // Those that were put out by one of the same place have left theirs to an older one.
  assert.equal(kept.slice(0, 9_900).includes(true), false);
  assert.equal(kept.at(-1), true);
});

test('of two pairs with one place the newer is remembered, and neither is taken for the other', () => {
  const pairs = new RememberedPairs(() => 0);
  const ben = { ...PAIR, userId: 2 };
  pairs.remember(ANN, 'secret', PAIR, 0);
  assert.equal(pairs.find(ANN, 'wrong', 0), undefined);
  assert.equal(pairs.find({ ...ANN, name: 'ben' }, 'secret', 0), undefined);
  pairs.remember({ ...ANN, name: 'ben' }, 'secret', ben, 0);
  assert.equal(pairs.find(ANN, 'secret', 0), undefined);
  assert.deepEqual(pairs.find({ ...ANN, name: 'ben' }, 'secret', 0), ben);
});
