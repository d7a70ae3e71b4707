// Imported first, so that the modules below hash through the counter.
import './counted-hashes.ts';
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hash } from '@node-rs/argon2';
import { HashPool } from '../../../src/core/identity/hash-queue.ts';
import { hashPassword } from '../../../src/core/identity/password-hash.ts';
import { localVerifier } from '../../../src/core/identity/verifiers/local.ts';
import { userLike } from '../domain/samples.ts';
import { hashes } from './counted-hashes.ts';

const TODAY = { memory: 32, passes: 2, lanes: 1 };
const AT_TODAY = 'm=32,t=2,p=1';
/** Argon2i in the package's enum. Only other systems use it. */
const ARGON2I = 1;

const verifier = localVerifier(new HashPool({ atOnce: 1, deadline: 60_000 }), TODAY);
await verifier.ready;

/** The hashes that an attempt costs, for a user with this hash. */
async function costOf(
  passwordHash: string,
  password: string,
): Promise<{ accepted: boolean; work: string[] }> {
  const user = userLike({ passwordHash });
  hashes.length = 0;
  const who = {
    name: 'Ann',
    key: 'ann',
    address: '192.0.2.1',
    userAgent: undefined,
    familiar: false,
    onPage: false,
    standIn: async () => undefined,
  };
  const { accepted } = await verifier.verify({ ...who, user, barred: false }, password);
  return { accepted, work: [...hashes] };
}

test('whether a failed check is followed by another depends on memory and passes alike', async () => {
  for (const [memory, passes, isCheaper] of [
    [16, 3, true],
    [16, 4, false],
    [16, 5, false],
    [64, 1, false],
    [63, 1, true],
  ] as const) {
    const passwordHash = await hashPassword('right', { memory, passes, lanes: 1 });
    const first = `m=${memory},t=${passes},p=1`;
    assert.deepEqual(await costOf(passwordHash, 'wrong'), {
      accepted: false,
      work: isCheaper ? [first, AT_TODAY] : [first],
    });
  }
});

test('a failed check of a hash with an unreadable cost is followed by one at the current cost', async () => {
  const passwordHash = await hash('right', {
    ...{ algorithm: ARGON2I, memoryCost: 64, timeCost: 3, parallelism: 1 },
  });
  assert.deepEqual(await costOf(passwordHash, 'wrong'), {
    accepted: false,
    work: ['m=64,t=3,p=1', AT_TODAY],
  });
});

test('the right password costs its check, and one more hash if its hash is renewed', async () => {
  const today = await hashPassword('right', TODAY);
  assert.deepEqual(await costOf(today, 'right'), { accepted: true, work: [AT_TODAY] });
  const cheaper = await hashPassword('right', { ...TODAY, memory: 16 });
  assert.deepEqual(await costOf(cheaper, 'right'), { accepted: true, work: ['m=16,t=2,p=1', AT_TODAY] });
});
