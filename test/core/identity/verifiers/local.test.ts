// Imported first, so that the modules below hash through the counter.
import '../counted-hashes.ts';
import assert from 'node:assert/strict';
import { before, beforeEach, test } from 'node:test';
import { hash } from '@node-rs/argon2';
import type { User } from '../../../../src/core/domain/user.ts';
import { QueueTimeout } from '../../../../src/core/identity/concurrency-limiter.ts';
import { type HashOwner, HashPool } from '../../../../src/core/identity/hash-queue.ts';
import { hashPassword, verifyPassword } from '../../../../src/core/identity/password-hash.ts';
import { localVerifier } from '../../../../src/core/identity/verifiers/local.ts';
import type { Verifier } from '../../../../src/core/identity/verifiers/verifier.ts';
import { userLike } from '../../domain/samples.ts';
import { hashes } from '../counted-hashes.ts';

const TODAY = { memory: 32, passes: 2, lanes: 1 };
const CHEAPER = { memory: 16, passes: 2, lanes: 1 };
const DEARER = { memory: 64, passes: 3, lanes: 1 };
/** The login of all attempts here. */
const ANN = {
  name: 'Ann',
  key: 'ann',
  address: '192.0.2.1',
  userAgent: undefined,
  familiar: false,
  onPage: false,
  standIn: async () => undefined,
};
const AT_TODAY = 'm=32,t=2,p=1';

let verifier: Verifier;
let pooled = 0;

class CountingPool extends HashPool {
  override run<T>(work: () => Promise<T>, owner: HashOwner, giveUpAt?: number): Promise<T> {
    pooled += 1;
    return super.run(work, owner, giveUpAt);
  }
}

before(async () => {
  verifier = localVerifier(new CountingPool({ atOnce: 1, deadline: 60_000 }), TODAY);
});

/** A user with the password `right`, hashed at this cost. */
async function userHashedAt(cost: typeof TODAY, different: { disabled?: boolean } = {}) {
  const user = userLike({ passwordHash: await hashPassword('right', cost), ...different });
  hashes.length = 0;
  return user;
}

const verify = (user: User | undefined, password: string) =>
  verifier.verify({ ...ANN, user, barred: false }, password);

beforeEach(() => {
  hashes.length = 0;
  pooled = 0;
});

test('a hash waits for its turn no longer than until `giveUpAt`', async () => {
  const pool = new HashPool({ atOnce: 1, deadline: 60_000 });
  const local = localVerifier(pool, TODAY);
  await local.ready;
  const { promise, resolve } = Promise.withResolvers<void>();
  const running = pool.run(() => promise, ANN);
  const asked = { ...ANN, user: undefined, barred: false, giveUpAt: performance.now() };
  await assert.rejects(local.verify(asked, 'wrong'), QueueTimeout);
  resolve();
  await running;
});

test('the right password is accepted and a wrong one refused, for one hash each', async () => {
  const user = await userHashedAt(TODAY);
  assert.deepEqual(await verify(user, 'right'), { accepted: true });
  assert.deepEqual(await verify(user, 'wrong'), { accepted: false });
  assert.deepEqual(hashes, [AT_TODAY, AT_TODAY]);
});

test('an unknown name, a disabled user and one without a password cost what a wrong password costs', async () => {
  const disabled = await userHashedAt(TODAY, { disabled: true });
  for (const user of [undefined, disabled, userLike({ passwordHash: undefined })]) {
    hashes.length = 0;
    assert.equal((await verify(user, 'right')).accepted, false);
    assert.deepEqual(hashes, [AT_TODAY]);
  }
});

test('a name without a hash costs what its stand-in costs, and is always refused', async () => {
  const standIn = await userHashedAt(CHEAPER);
  for (const user of [undefined, userLike({ passwordHash: undefined, disabled: true })]) {
    for (const password of ['wrong', 'right']) {
      hashes.length = 0;
      const asked = { ...ANN, user, barred: false, standIn: async () => standIn };
      assert.equal((await verifier.verify(asked, password)).accepted, false);
      assert.deepEqual(hashes, ['m=16,t=2,p=1', AT_TODAY]);
    }
  }
});

test('a barred or disabled user costs what a wrong password costs, and is always refused', async () => {
  const barred = await userHashedAt(CHEAPER);
  const disabled = await userHashedAt(CHEAPER, { disabled: true });
  for (const asked of [
    { user: barred, barred: true },
    { user: disabled, barred: false },
  ]) {
    for (const password of ['wrong', 'right']) {
      hashes.length = 0;
      assert.deepEqual(await verifier.verify({ ...ANN, ...asked }, password), { accepted: false });
      assert.deepEqual(hashes, ['m=16,t=2,p=1', AT_TODAY]);
    }
  }
});

test('no password is right for an unknown name: the next verifier is asked', async () => {
  for (const guess of ['', 'right', 'undefined', 'nobody'])
    assert.deepEqual(await verify(undefined, guess), { accepted: false, passed: true });
});

test('a failed check of a cheaper hash is followed by one at the current cost', async () => {
  const user = await userHashedAt(CHEAPER);
  assert.deepEqual(await verify(user, 'wrong'), { accepted: false });
  assert.deepEqual(hashes, ['m=16,t=2,p=1', AT_TODAY]);
});

test('a failed check of a costlier hash is the only one', async () => {
  const user = await userHashedAt(DEARER);
  assert.deepEqual(await verify(user, 'wrong'), { accepted: false });
  assert.deepEqual(hashes, ['m=64,t=3,p=1']);
});

test('a right password under another cost, lower or higher, returns a hash at the current cost', async () => {
  for (const cost of [CHEAPER, DEARER, { ...TODAY, lanes: 2 }]) {
    const user = await userHashedAt(cost);
    const verdict = await verify(user, 'right');
    assert.ok(verdict.accepted);
    const { renewedHash = '' } = verdict;
    assert.equal(renewedHash.split('$')[3], AT_TODAY);
    assert.equal(await verifyPassword(renewedHash, 'right'), true);
    assert.equal(await verifyPassword(renewedHash, 'wrong'), false);
  }
});

test('a right password that another system hashed as it was typed returns a hash in the way of this service', async () => {
  const typed = 'Zoe\u0308';
  const passwordHash = await hash(Buffer.from(typed), { memoryCost: 32, timeCost: 2, parallelism: 1 });
  const verdict = await verify(userLike({ passwordHash }), typed);
  assert.ok(verdict.accepted);
  const { renewedHash = '' } = verdict;
  assert.equal(await verifyPassword(renewedHash, typed), true);
});

test('a password with two spellings costs the same for a user and for an unknown name', async () => {
  const user = await userHashedAt(TODAY);
  // The last one would combine with the end of the base64 text.
  for (const [wrong, tried] of [
    ['wro\u0308ng', 2],
    ['wr\u00f6ng', 1],
    ['\u0338wrong', 1],
  ] as const) {
    for (const asked of [user, undefined]) {
      hashes.length = 0;
      assert.equal((await verify(asked, wrong)).accepted, false);
      assert.deepEqual(hashes, Array(tried).fill(AT_TODAY));
    }
  }
});

test('all work for one password is one turn of the pool', async () => {
  const cheaper = await userHashedAt(CHEAPER);
  for (const [user, password] of [
    [cheaper, 'wrong'],
    [cheaper, 'right'],
    [undefined, 'right'],
  ] as const) {
    pooled = 0;
    await verify(user, password);
    assert.equal(pooled, 1);
  }
});
