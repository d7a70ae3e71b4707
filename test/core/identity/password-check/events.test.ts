import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isRefusal } from '../../../../src/core/domain/refusal.ts';
import { UNTIL_UNLOCKED } from '../../../../src/core/domain/user.ts';
import type { Verifier } from '../../../../src/core/identity/verifiers/verifier.ts';
import { Checking, DAY, HERE, RIGHT, THERE } from '../checking.ts';

test('each attempt that is refused after hashing is an event with its true reason', async () => {
  const checking = new Checking();
  await checking.add('Ann');
  await checking.add('Ben', { disabled: true });
  await checking.add('Cem', { lockedUntil: UNTIL_UNLOCKED });
  for (const name of ['ann', 'ben', 'cem']) await checking.login(name, 'wrong');
  await checking.login('ben', RIGHT);
  const told = (await checking.events()).map(({ kind, user, from, reason, at, count }) => {
    assert.deepEqual([kind, from, at, count], ['login-refused', HERE, checking.now, 1]);
    return [user, reason];
  });
  assert.deepEqual(told, [
    ['Ann', 'wrong-password'],
    ['Ben', 'disabled'],
    ['Cem', 'locked-by-hand'],
    ['Ben', 'disabled'],
  ]);
});

test('a name that no user has is masked: it may be a password typed into the wrong field', async () => {
  const checking = new Checking({ throttleAfter: 1, lockoutThreshold: 1 });
  const secret = 'hunter2-is-my-secret';
  const refused = await checking.login(secret, 'wrong');
  await checking.login(secret, 'wrong');
  const written = JSON.stringify([await checking.events(), checking.tallied, refused]);
  assert.ok(!written.includes('hunter2'), written);
  const kinds = (await checking.events()).map(({ kind, user }) => [kind, user]);
  assert.deepEqual(kinds, [
    ['login-refused', 'hu\u2026 (20 characters)'],
    ['lock', 'hu\u2026 (20 characters)'],
  ]);
});

test('an attempt that is refused without hashing is counted, and is not an event of its own', async () => {
  const checking = new Checking({ throttleAfter: 1 });
  await checking.add('Ann');
  await checking.fail(4, 'ann');
  assert.equal((await checking.events()).length, 1);
  const from = { from: HERE, program: undefined };
  const tally = { at: checking.now, kind: 'login-refused', user: 'Ann', ...from, reason: 'waiting' };
  assert.deepEqual(checking.tallied, [tally, tally, tally]);
});

test('each refused password is counted, hashed or not', async () => {
  const checking = new Checking({ throttleAfter: 1 });
  await checking.add('Ann');
  await checking.fail(4, 'ann');
  await checking.repeat('ann', 'wrong', THERE);
  await checking.repeat('ann', RIGHT, '203.0.113.9');
  assert.equal(checking.refused, 5);
});

test('a successful check makes no event: the login makes one', async () => {
  const checking = new Checking();
  await checking.add('ann');
  await checking.login('ann', RIGHT);
  await checking.repeat('ann', RIGHT);
  assert.deepEqual(await checking.events(), []);
});

test('a right password on each request makes an event the first time, after a day or a failure, and two at another address', async () => {
  const checking = new Checking();
  await checking.add('Ann');
  const repeatedly = async (address = HERE) => {
    for (let time = 0; time < 20; time += 1) await checking.repeat('ann', RIGHT, address);
  };
  await repeatedly();
  checking.now += DAY;
  await repeatedly();
  assert.equal((await checking.events()).length, 1);
  checking.now += 1;
  await repeatedly();
  await checking.fail(1, 'ann');
  await repeatedly();
  await repeatedly(THERE);
  const told = (await checking.events()).map(({ kind, user, from }) => [kind, user, from]);
  assert.deepEqual(told, [
    ['password-accepted', 'Ann', HERE],
    ['password-accepted', 'Ann', HERE],
    ['login-refused', 'Ann', HERE],
    ['password-accepted', 'Ann', HERE],
    ['login-unfamiliar', 'Ann', THERE],
    ['password-accepted', 'Ann', THERE],
  ]);
});

test('events, tallies and refusals contain no passwords and no hashes', async () => {
  const checking = new Checking({ throttleAfter: 1 });
  await checking.add('ann');
  const results = [await checking.login('ann', 'pass-1'), await checking.login('ann', 'pass-2')];
  const written = JSON.stringify([await checking.events(), checking.tallied, results]);
  assert.doesNotMatch(written, /pass-|hash of/);
});

test('only a password from a new place makes the event of that: no app password, and no passkey', async () => {
  const verify = async (_: unknown, password: string) =>
    password === RIGHT
      ? { accepted: true as const }
      : { accepted: true as const, appPassword: { name: 'mail' }, isKeptIn: async () => true };
  const checking = new Checking({
    verifiers: [{ name: 'local', partIn: () => 'decides', verify } as unknown as Verifier],
  });
  await checking.add('Ann', { lastLoginAt: checking.now - DAY });
  await checking.login('ann', 'of an app', '192.0.2.2');
  await checking.repeat('ann', 'of an app', '192.0.2.3');
  const factorFrom = async (address: string, code?: 'guessable') => {
    const passwords = checking.check.from({ address, userAgent: undefined });
    const checked = await passwords.checkFactor('ann', async () => ({}), {
      wrong: 'wrong',
      ...(code && { code }),
    });
    if (isRefusal(checked)) throw new Error(checked.reason);
    await checking.store.write(async (unit) => checked.verified.recordSuccess?.(unit));
  };
  await factorFrom('192.0.2.4');
  const told = async () => (await checking.events()).filter(({ kind }) => kind === 'login-unfamiliar');
  assert.deepEqual(await told(), []);
  await factorFrom('192.0.2.5', 'guessable');
  await checking.login('ann', RIGHT, '192.0.2.6');
  assert.deepEqual(
    (await told()).map(({ from }) => from),
    ['192.0.2.5', '192.0.2.6'],
  );
});
