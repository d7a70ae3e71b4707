import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { Checking, DAY, outcomeOf, RIGHT, SECOND, THERE } from '../checking.ts';

const DEFAULTS = { throttleAfter: 5, lockoutThreshold: 100 };
/** The /64 with this number of the subscriber (a /56) with that number, in one /48. */
const host = (number: number, subscriber = 1) =>
  `2001:db8:1:${(subscriber * 256 + number).toString(16)}::/64`;

async function withAnn(): Promise<Checking> {
  const checking = new Checking(DEFAULTS);
  await checking.add('ann');
  return checking;
}

test('of 100 wrong passwords from 20 /64s of one /56 25 are hashed, and the name is not locked out', async () => {
  const checking = await withAnn();
  for (let number = 0; number < 20; number += 1) await checking.fail(5, 'ann', host(number));
  assert.equal(checking.hashed.length, 25);
  assert.equal((await checking.user('ann')).lockedUntil, 0);
  assert.equal(outcomeOf(await checking.login('ann', RIGHT, host(99))), 'login_failed network-waiting 43');
  assert.equal(outcomeOf(await checking.login('ann', RIGHT, THERE)), 'ok');
});

test('of wrong passwords from all over one /48 50 are hashed', async () => {
  const checking = await withAnn();
  for (let number = 0; number < 100; number += 1) await checking.fail(1, 'ann', host(0, number));
  assert.equal(checking.hashed.length, 50);
  assert.equal((await checking.user('ann')).lockedUntil, 0);
});

test('of wrong passwords from all over one IPv4 /24 50 are hashed', async () => {
  const checking = await withAnn();
  for (let number = 0; number < 100; number += 1) await checking.fail(1, 'ann', `203.0.113.${number}`);
  assert.equal(checking.hashed.length, 50);
  assert.equal(outcomeOf(await checking.login('ann', RIGHT, THERE)), 'ok');
});

for (const address of ['203.0.113.1', host(1)])
  test(`${address} alone, failing as often as it can, does not lock a name out within a day`, async () => {
    const checking = await withAnn();
    const end = checking.now + DAY;
    while (checking.now < end) {
      await checking.fail(1, 'ann', address);
      checking.now += SECOND;
      const { counters } = checking;
      const kept = Object.values(await counters.call(checking, 'ann', address));
      checking.now = Math.max(checking.now, ...kept.map((counter) => counter?.waitUntil ?? 0));
    }
    assert.equal((await checking.user('ann')).lockedUntil, 0);
    assert.equal(outcomeOf(await checking.login('ann', RIGHT, THERE)), 'ok');
    assert.ok(checking.hashed.length < 40, `${checking.hashed.length} guesses`);
  });

test('of 100 parallel attempts from one /56 no more than its share are hashed', async () => {
  const checking = new Checking({ ...DEFAULTS, beforeVerdict: () => turn() });
  await checking.add('ann');
  const attempts = Array.from({ length: 100 }, (_, number) => checking.login('ann', 'wrong', host(number)));
  await Promise.all(attempts);
  assert.equal(checking.hashed.length, 25);
});

test('a name that no user has waits in a network like the name of a user', async () => {
  const checking = await withAnn();
  for (const name of ['ann', 'nobody'])
    for (let number = 0; number < 25; number += 1) await checking.fail(1, name, host(number));
  for (const name of ['ann', 'nobody'])
    assert.equal(outcomeOf(await checking.login(name, 'wrong', host(99))), 'login_failed network-waiting 43');
});

test('a network that waits for one name does not wait for others', async () => {
  const checking = await withAnn();
  await checking.add('ben');
  for (let number = 0; number < 25; number += 1) await checking.fail(1, 'ann', host(number));
  assert.equal(outcomeOf(await checking.login('ben', RIGHT, host(1))), 'ok');
});

test('from a familiar address the right password passes the wait of its network, and ends it', async () => {
  const checking = await withAnn();
  assert.equal(outcomeOf(await checking.login('ann', RIGHT, host(50))), 'ok');
  for (let number = 0; number < 25; number += 1) await checking.fail(1, 'ann', host(number));
  assert.equal(outcomeOf(await checking.login('ann', RIGHT, host(51))), 'login_failed network-waiting 43');
  assert.equal(outcomeOf(await checking.login('ann', RIGHT, host(50))), 'ok');
  assert.equal(outcomeOf(await checking.login('ann', RIGHT, host(51))), 'ok');
});

test('a success elsewhere does not end the wait of a network, and a success there clears only its own count', async () => {
  const checking = await withAnn();
  for (let number = 0; number < 25; number += 1) await checking.fail(1, 'ann', host(number));
  assert.equal(outcomeOf(await checking.login('ann', RIGHT, THERE)), 'ok');
  assert.equal(outcomeOf(await checking.login('ann', RIGHT, host(51))), 'login_failed network-waiting 43');
  checking.now += 43 * SECOND;
  assert.equal(outcomeOf(await checking.login('ann', RIGHT, host(51))), 'ok');
  const { subscriber, site, pair } = await checking.counters('ann', host(1));
  assert.deepEqual([subscriber, site, pair?.failures], [undefined, undefined, 1]);
});
