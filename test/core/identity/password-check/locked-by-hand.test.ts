import assert from 'node:assert/strict';
import { test } from 'node:test';
import { UNTIL_UNLOCKED } from '../../../../src/core/domain/user.ts';
import { Checking, DAY, HERE, outcomeOf, RIGHT, THERE } from '../checking.ts';

const BY_HAND = { lockedUntil: UNTIL_UNLOCKED };

test('a user locked by hand is refused until unlocked, however long that takes', async () => {
  const checking = new Checking({ throttleAfter: 5, lockoutThreshold: 100 });
  await checking.add('ann', BY_HAND);
  checking.now += 365 * DAY;
  assert.equal(outcomeOf(await checking.login('ann', RIGHT)), 'login_failed locked-by-hand');
  await checking.change('ann', { lockedUntil: 0 });
  assert.equal(outcomeOf(await checking.login('ann', RIGHT)), 'ok');
});

test('a lock by hand costs the same hash as a name that no user has, so that time reveals nothing', async () => {
  const checking = new Checking();
  await checking.add('ann', BY_HAND);
  await checking.login('ann', RIGHT);
  await checking.login('nobody', RIGHT);
  assert.deepEqual(
    checking.hashed.map(({ user }) => user),
    [undefined, undefined],
  );
});

test('failures do not replace a lock by hand by one that ends', async () => {
  const checking = new Checking({ lockoutThreshold: 2 });
  await checking.add('ann', BY_HAND);
  await checking.fail(3, 'ann', HERE);
  await checking.fail(3, 'ann', THERE);
  assert.equal((await checking.user('ann')).lockedUntil, UNTIL_UNLOCKED);
  const kinds = new Set((await checking.events()).map(({ kind }) => kind));
  assert.deepEqual([...kinds], ['login-refused']);
});

test('a user without a password is refused while it is locked by hand', async () => {
  const checking = new Checking();
  await checking.add('guest', { ...BY_HAND, passwordHash: undefined });
  for (const password of [undefined, '', 'anything'])
    assert.equal(outcomeOf(await checking.login('guest', password)), 'login_failed locked', String(password));
});
