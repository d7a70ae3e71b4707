import assert from 'node:assert/strict';
import { test } from 'node:test';
import { faultOfClientName, makeClientSecret, SECRET_BYTES } from '../../../src/core/domain/client.ts';

test('a secret is SECRET_ and 64 lower-case hex digits of 256 random bits', () => {
  assert.equal(SECRET_BYTES, 32);
  assert.equal(makeClientSecret(Buffer.alloc(SECRET_BYTES, 0xab)), `SECRET_${'ab'.repeat(32)}`);
});

test('a client’s name has only characters that neither Basic nor forms encode', () => {
  for (const name of ['g', 'gateway', 'API-2.example_org', '0', 'x'.repeat(64)]) {
    assert.equal(faultOfClientName(name), undefined, name);
    assert.equal(new URLSearchParams([[name, '']]).toString(), `${name}=`);
  }
  for (const name of [
    '',
    'x'.repeat(65),
    'a b',
    'a:b',
    'a+b',
    'a%b',
    'ä',
    'a\n',
    'Role_Ticket',
    'role_ticket',
  ])
    assert.notEqual(faultOfClientName(name), undefined, name);
});
