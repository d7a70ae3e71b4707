import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Checking, HERE, outcomeOf, RIGHT } from '../checking.ts';

const GIVEN = [undefined, '', 'anything', 'x'.repeat(2_000)];

test('a user without a password logs in with none, an empty or any other password, without a hash', async () => {
  const checking = new Checking({ throttleAfter: 1, lockoutThreshold: 1 });
  const { id } = await checking.add('guest', { passwordHash: undefined });
  for (const password of GIVEN) {
    const verified = await checking.login('guest', password);
    assert.ok('userId' in verified, outcomeOf(verified));
    assert.deepEqual([verified.userId, verified.passwordHash], [id, undefined]);
  }
  assert.equal(outcomeOf(await checking.repeat('guest', 'anything')), 'ok');
  assert.equal(checking.hashed.length, 0);
});

test('a disabled user without a password is answered like a name that no user has', async () => {
  for (const password of [...GIVEN]) {
    const checking = new Checking();
    await checking.add('guest', { passwordHash: undefined, disabled: true });
    const guest = await checking.login('guest', password);
    const nobody = await checking.login('nobody', password);
    assert.equal('refused' in guest && guest.refused, 'refused' in nobody && nobody.refused);
    assert.equal(checking.hashed.length % 2, 0, 'both cost the same');
  }
});

test('for every other name a missing password has an answer of its own, and is not counted', async () => {
  const checking = new Checking({ throttleAfter: 1, lockoutThreshold: 1 });
  await checking.add('ann');
  for (const name of ['ann', 'nobody', 'a\nb', '']) {
    assert.equal(outcomeOf(await checking.login(name, undefined)), 'password_missing', name);
    const { pair } = await checking.counters(name, HERE);
    assert.equal(pair, undefined);
  }
  assert.equal(outcomeOf(await checking.login('ann', RIGHT)), 'ok');
});

test('for every other name an empty password is a wrong one', async () => {
  const checking = new Checking({ throttleAfter: 1 });
  await checking.add('ann');
  assert.equal(outcomeOf(await checking.login('ann', '')), 'login_failed wrong-password');
  assert.equal(outcomeOf(await checking.login('nobody', '')), 'login_failed unknown-name');
  assert.equal(outcomeOf(await checking.login('ann', RIGHT)), 'login_failed waiting 1');
});

test('a user who gets a password needs it from then on', async () => {
  const checking = new Checking();
  await checking.add('guest', { passwordHash: undefined });
  await checking.changePassword('guest', RIGHT);
  assert.equal(outcomeOf(await checking.login('guest', undefined)), 'password_missing');
  assert.equal(outcomeOf(await checking.login('guest', 'anything')), 'login_failed wrong-password');
  assert.equal(outcomeOf(await checking.login('guest', RIGHT)), 'ok');
});
