import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  newTotpSecret,
  stepOfCode,
  totpKey,
} from '../../../../src/capabilities/factors/second-factor/totp.ts';
import { typedOneTimePassword } from '../../../../src/core/domain/second-factor.ts';

/** The secret of RFC 6238 appendix B. */
const SECRET = Buffer.from('12345678901234567890');
const STEP = 30_000;

/** Seconds and the last six digits of the codes in RFC 6238 appendix B (SHA-1). */
const VECTORS: readonly [seconds: number, code: string][] = [
  [59, '287082'],
  [1_111_111_109, '081804'],
  [1_111_111_111, '050471'],
  [1_234_567_890, '005924'],
  [2_000_000_000, '279037'],
  [20_000_000_000, '353130'],
];

test('the codes of RFC 6238 are accepted in their time step', async () => {
  for (const [seconds, code] of VECTORS)
    assert.equal(await stepOfCode(SECRET, code, seconds * 1_000, 0), Math.floor(seconds / 30), code);
});

test('a code is accepted one step before and after, and no further', async () => {
  const [seconds, code] = [1_111_111_110, '050471'];
  const step = seconds / 30;
  const atSteps = (steps: number) => stepOfCode(SECRET, code, seconds * 1_000 + steps * STEP, 0);
  assert.deepEqual(await Promise.all([-2, -1, 0, 1, 2].map(atSteps)), [
    undefined,
    step,
    step,
    step,
    undefined,
  ]);
});

test('a code of an accepted step, or of an earlier one, is not accepted again', async () => {
  const [seconds, code] = [1_111_111_110, '050471'];
  const step = seconds / 30;
  const after = (lastStep: number) => stepOfCode(SECRET, code, seconds * 1_000, lastStep);
  assert.deepEqual(await Promise.all([step - 1, step, step + 1].map(after)), [step, undefined, undefined]);
});

test('a wrong code is not accepted', async () => {
  for (const code of ['000000', '050470', '05047', ''])
    assert.equal(await stepOfCode(SECRET, code, 1_111_111_111_000, 0), undefined, code);
});

test('a code is read with spaces in it, and nothing else than six digits is a code', () => {
  assert.equal(typedOneTimePassword(' 050 471\n'), '050471');
  for (const text of ['', '05047', '0504711', 'abcdef', '０５０４７１', '05-0471'])
    assert.equal(typedOneTimePassword(text), undefined, text);
});

test('an app is given a secret of 160 bits, as RFC 6238 and the format of its address say', async () => {
  const secret = newTotpSecret();
  assert.equal(secret.length, 20);
  assert.notDeepEqual(secret, newTotpSecret());
  const { text, uri } = await totpKey(SECRET, 'tickets.example.org', 'anna: ü');
  assert.equal(text, 'GEZD GNBV GY3T QOJQ GEZD GNBV GY3T QOJQ');
  const { protocol, host, pathname, searchParams } = new URL(uri);
  assert.deepEqual([protocol, host], ['otpauth:', 'totp']);
  assert.equal(decodeURIComponent(pathname), '/tickets.example.org:anna: ü');
  assert.deepEqual(Object.fromEntries(searchParams), {
    issuer: 'tickets.example.org',
    secret: text.replaceAll(' ', ''),
    algorithm: 'SHA1',
    digits: '6',
    period: '30',
  });
});
