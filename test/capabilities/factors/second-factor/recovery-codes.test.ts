import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  digestOfRecoveryCode,
  newRecoveryCodes,
} from '../../../../src/capabilities/factors/second-factor/recovery-codes.ts';

test('a set has ten codes of 112 random bits, each unlike the others', () => {
  const { codes, digests } = newRecoveryCodes();
  assert.equal(new Set(codes).size, 10);
  for (const code of codes) assert.match(code, /^[0-9a-f]{4}(-[0-9a-f]{4}){6}$/);
  assert.equal(new Set(digests.map((digest) => digest.toString('hex'))).size, 10);
  for (const digest of digests) assert.equal(digest.length, 32);
});

test('a code is recognised as people type it: in capitals, with spaces or without hyphens', () => {
  const { codes, digests } = newRecoveryCodes();
  const [code = ''] = codes;
  for (const typed of [code, code.toUpperCase(), code.replaceAll('-', ''), ` ${code.replaceAll('-', ' ')}\n`])
    assert.deepEqual(digestOfRecoveryCode(typed), digests[0], typed);
});

test('a text that is no recovery code has no digest', () => {
  const [code = ''] = newRecoveryCodes().codes;
  for (const typed of ['', '123456', code.slice(1), `${code}0`, 'g'.repeat(20)])
    assert.equal(digestOfRecoveryCode(typed), undefined, typed);
});
