import assert from 'node:assert/strict';
import { test } from 'node:test';
import { UNTIL_UNLOCKED } from '../../../../src/core/domain/user.ts';
import { Checking, DAY, HERE, MINUTE, outcomeOf, RIGHT, THERE } from '../checking.ts';

/** Ann, who has logged in from HERE before. */
async function annAtHome(): Promise<Checking> {
  const checking = new Checking({ lockoutThreshold: 2 });
  await checking.add('ann');
  assert.equal(outcomeOf(await checking.login('ann', RIGHT, HERE)), 'ok');
  return checking;
}

test('from a familiar address the right password is accepted and ends the lock-out', async () => {
  const checking = await annAtHome();
  await checking.fail(2, 'ann', THERE);
  assert.equal(outcomeOf(await checking.login('ann', RIGHT, '203.0.113.9')), 'login_failed locked 900');
  assert.equal(outcomeOf(await checking.login('ann', RIGHT, HERE)), 'ok');
  assert.equal((await checking.user('ann')).lockedUntil, 0);
  assert.equal((await checking.counters('ann', HERE)).name, undefined);
  assert.equal(outcomeOf(await checking.login('ann', RIGHT, '203.0.113.9')), 'ok');
});

test('a failure from a familiar address during a lock-out does not lengthen it, and makes the address unfamiliar', async () => {
  const checking = await annAtHome();
  await checking.fail(2, 'ann', THERE);
  const { lockedUntil } = await checking.user('ann');
  checking.now += MINUTE;
  assert.equal(outcomeOf(await checking.login('ann', 'wrong', HERE)), 'login_failed wrong-password');
  assert.equal((await checking.user('ann')).lockedUntil, lockedUntil);
  assert.equal(outcomeOf(await checking.login('ann', RIGHT, HERE)), 'login_failed locked 840');
});

test('an address that failed since its last login is not familiar', async () => {
  const checking = await annAtHome();
  await checking.fail(1, 'ann', HERE);
  await checking.fail(1, 'ann', THERE);
  assert.equal(outcomeOf(await checking.login('ann', RIGHT, HERE)), 'login_failed locked 900');
});

test('an address is familiar for 30 days after a login', async () => {
  for (const [days, outcome] of [
    [29, 'ok'],
    [30, 'login_failed locked 900'],
  ] as const) {
    const checking = await annAtHome();
    checking.now += days * DAY;
    await checking.fail(2, 'ann', THERE);
    assert.equal(outcomeOf(await checking.login('ann', RIGHT, HERE)), outcome, `${days} days`);
  }
});

test('a later login keeps an address familiar', async () => {
  const checking = await annAtHome();
  checking.now += 20 * DAY;
  assert.equal(outcomeOf(await checking.login('ann', RIGHT, HERE)), 'ok');
  checking.now += 20 * DAY;
  await checking.fail(2, 'ann', THERE);
  assert.equal(outcomeOf(await checking.login('ann', RIGHT, HERE)), 'ok');
});

test('an address is familiar only for the user who logged in there', async () => {
  const checking = await annAtHome();
  await checking.add('ben');
  await checking.fail(2, 'ben', THERE);
  assert.equal(outcomeOf(await checking.login('ben', RIGHT, HERE)), 'login_failed locked 900');
});

test('a familiar address does not pass a lock by hand', async () => {
  const checking = await annAtHome();
  await checking.change('ann', { lockedUntil: UNTIL_UNLOCKED });
  assert.equal(outcomeOf(await checking.login('ann', RIGHT, HERE)), 'login_failed locked-by-hand');
  assert.equal((await checking.user('ann')).lockedUntil, UNTIL_UNLOCKED);
});
