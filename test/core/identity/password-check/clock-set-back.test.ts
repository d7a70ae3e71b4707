import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Checking, DAY, HERE, HOUR, MINUTE, outcomeOf, RIGHT, SECOND, THERE } from '../checking.ts';

const DEFAULTS = { throttleAfter: 5, lockoutThreshold: 100 };
const AHEAD = 30 * DAY;

/** Does `act` while the clock is ahead. */
async function ahead(checking: Checking, act: () => Promise<unknown>): Promise<void> {
  checking.now += AHEAD;
  await act();
  checking.now -= AHEAD;
}

test('a name at an address that waited while the clock was ahead waits no more, and its count stays', async () => {
  const checking = new Checking(DEFAULTS);
  await checking.add('ann');
  await ahead(checking, () => checking.fail(5, 'ann'));
  assert.equal(outcomeOf(await checking.login('ann', 'wrong')), 'login_failed wrong-password');
  assert.equal(outcomeOf(await checking.login('ann', RIGHT)), 'login_failed waiting 2');
  checking.now += 2 * SECOND;
  assert.equal(outcomeOf(await checking.login('ann', RIGHT)), 'ok');
});

test('an address that waited while the clock was ahead waits no more, and its hour ends', async () => {
  const checking = new Checking(DEFAULTS);
  await checking.add('ann');
  await ahead(checking, async () => {
    for (let index = 0; index < 1_000; index += 1) await checking.fail(1, `guess ${index}`);
  });
  assert.equal(outcomeOf(await checking.login('ann', RIGHT)), 'ok');
  await checking.fail(1, 'another guess');
  assert.equal(outcomeOf(await checking.login('ben', RIGHT)), 'login_failed address-waiting 2');
  checking.now += HOUR;
  await checking.fail(1, 'another guess');
  assert.equal((await checking.counters('ann', HERE)).address?.failures, 1);
});

test('a lock-out from while the clock was ahead does not count; the next failure locks the name from now on', async () => {
  const checking = new Checking({ lockoutThreshold: 3 });
  await checking.add('ann');
  await ahead(checking, () => checking.fail(3, 'ann'));
  assert.equal(outcomeOf(await checking.login('ann', 'wrong', THERE)), 'login_failed wrong-password');
  assert.equal((await checking.user('ann')).lockedUntil, checking.now + 30 * MINUTE);
  assert.equal(outcomeOf(await checking.login('ann', RIGHT)), 'login_failed locked 1800');
  checking.now += 30 * MINUTE;
  assert.equal(outcomeOf(await checking.login('ann', RIGHT)), 'ok');
});

test('a success after the clock is right ends a lock-out from while it was ahead', async () => {
  const checking = new Checking({ lockoutThreshold: 3 });
  await checking.add('ann');
  await ahead(checking, () => checking.fail(3, 'ann'));
  assert.equal(outcomeOf(await checking.login('ann', RIGHT)), 'ok');
  assert.equal((await checking.user('ann')).lockedUntil, 0);
  assert.equal((await checking.counters('ann', HERE)).name, undefined);
});

test('an address that became familiar while the clock was ahead is familiar after the next success', async () => {
  const checking = new Checking({ lockoutThreshold: 2 });
  await checking.add('ann');
  await ahead(checking, () => checking.login('ann', RIGHT, HERE));
  assert.equal(outcomeOf(await checking.login('ann', RIGHT, HERE)), 'ok');
  checking.now += 30 * DAY - 1;
  await checking.fail(2, 'ann', THERE);
  assert.equal(outcomeOf(await checking.login('ann', RIGHT, HERE)), 'ok');
  checking.now += 30 * DAY;
  await checking.fail(2, 'ann', THERE);
  assert.equal(outcomeOf(await checking.login('ann', RIGHT, HERE)), 'login_failed locked 900');
});

test('a credential that was cached while the clock was ahead is verified again', async () => {
  const checking = new Checking(DEFAULTS);
  await checking.add('ann');
  await ahead(checking, () => checking.repeat('ann', RIGHT));
  assert.equal(await checking.fromCache('ann', RIGHT), undefined);
  assert.equal(outcomeOf(await checking.repeat('ann', RIGHT)), 'ok');
  assert.equal(checking.hashed.length, 2);
});
