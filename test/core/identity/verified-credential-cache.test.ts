import assert from 'node:assert/strict';
import { test } from 'node:test';
import { VerifiedCredentialCache } from '../../../src/core/identity/verified-credential-cache.ts';

const MINUTE = 60_000;
const ANN = { key: 'ann', address: '192.0.2.1' };
const keys = { name: 'name', pair: 'pair', subscriber: 'subscriber', site: 'site', address: 'address' };
const CREDENTIAL = { userId: 1, passwordHash: 'hash', generation: 0, keys };

test('a credential is cached for a minute and no longer', () => {
  const cache = new VerifiedCredentialCache();
  assert.equal(cache.find(ANN, 'secret', 0), undefined);
  cache.add(ANN, 'secret', CREDENTIAL, 0);
  assert.deepEqual(cache.find(ANN, 'secret', MINUTE - 1), CREDENTIAL);
  assert.equal(cache.find(ANN, 'secret', MINUTE), undefined);
});

test('a credential is found only with its name, address and password', () => {
  const cache = new VerifiedCredentialCache();
  cache.add(ANN, 'secret', CREDENTIAL, 0);
  assert.equal(cache.find({ ...ANN, key: 'ben' }, 'secret', 0), undefined);
  assert.equal(cache.find({ ...ANN, address: '192.0.2.2' }, 'secret', 0), undefined);
  assert.equal(cache.find(ANN, 'Secret', 0), undefined);
  assert.equal(cache.find(ANN, '', 0), undefined);
});

test('moving characters between address, name and password does not make another credential match', () => {
  const cache = new VerifiedCredentialCache();
  cache.add(ANN, '2\0secret', CREDENTIAL, 0);
  for (const [key, password] of [
    ['ann2\0', 'secret'],
    ['ann2', '\0secret'],
    ['an', 'n2\0secret'],
    ['1 3 ann', '2\0secret'],
    ['', '3 ann2\0secret'],
  ] as const)
    assert.equal(cache.find({ ...ANN, key }, password, 0), undefined, key);
});

test('composed and decomposed characters are the same credential', () => {
  const cache = new VerifiedCredentialCache();
  cache.add(ANN, 'Zo\u00eb', CREDENTIAL, 0);
  assert.deepEqual(cache.find(ANN, 'Zoe\u0308', 0), CREDENTIAL);
});

test('at most 10,000 credentials are cached, and the oldest goes first', () => {
  const cache = new VerifiedCredentialCache();
  const of = (user: number) => ({ ...ANN, key: `user ${user}` });
  for (let user = 0; user <= 10_000; user += 1) cache.add(of(user), 'secret', CREDENTIAL, user / 1_000);
  assert.equal(cache.find(of(0), 'secret', 10), undefined);
  assert.deepEqual(cache.find(of(1), 'secret', 10), CREDENTIAL);
  assert.deepEqual(cache.find(of(10_000), 'secret', 10), CREDENTIAL);
});
