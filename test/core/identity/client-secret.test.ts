import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import { digestOfSecret, isSecretOf, newClientSecret } from '../../../src/core/identity/client-secret.ts';

test('a new secret comes with its SHA-256, and differs from any other', () => {
  const one = newClientSecret();
  assert.match(one.secret, /^SECRET_[0-9a-f]{64}$/);
  assert.deepEqual(one.digest, createHash('sha256').update(one.secret).digest());
  assert.notEqual(newClientSecret().secret, one.secret);
});

test('a secret belongs to its own client only', () => {
  const { secret, digest } = newClientSecret();
  const client = { name: 'gateway', secretDigest: digest, addedAt: 0 };
  assert.equal(isSecretOf(client, secret), true);
  assert.equal(isSecretOf(client, newClientSecret().secret), false);
  assert.equal(isSecretOf(client, ''), false);
  assert.equal(isSecretOf(client, digest.toString('hex')), false);
  assert.equal(isSecretOf({ ...client, secretDigest: digestOfSecret('other') }, secret), false);
  assert.equal(isSecretOf(undefined, secret), false);
});
