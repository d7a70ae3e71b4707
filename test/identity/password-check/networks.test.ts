import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { Checking, DAY, RIGHT, SECOND, THERE, told } from '../checking.ts';

const DEFAULTS = { throttleAfter: 5, lockoutThreshold: 100 };
/** The /64 of this number, of the subscriber (a /56) of this number, in one /48. */
const host = (number: number, subscriber = 1) =>
  `2001:db8:1:${(subscriber * 256 + number).toString(16)}::/64`;

async function withAnn(): Promise<Checking> {
  const checking = new Checking(DEFAULTS);
  await checking.add('ann');
  return checking;
}

test('of 100 wrong passwords from 20 /64s of one /56 the name looks at 25 and is not locked out', async () => {
  const checking = await withAnn();
  for (let number = 0; number < 20; number += 1) await checking.fail(5, 'ann', host(number));
  assert.equal(checking.hashed.length, 25);
  assert.equal((await checking.user('ann')).lockedUntil, 0);
  assert.equal(told(await checking.login('ann', RIGHT, host(99))), 'login_failed network-waiting 43');
  assert.equal(told(await checking.login('ann', RIGHT, THERE)), 'ok');
});

test('of wrong passwords from all over one /48 the name looks at 50', async () => {
  const checking = await withAnn();
  for (let number = 0; number < 100; number += 1) await checking.fail(1, 'ann', host(0, number));
  assert.equal(checking.hashed.length, 50);
  assert.equal((await checking.user('ann')).lockedUntil, 0);
});

test('of wrong passwords from all over one IPv4 /24 the name looks at 50', async () => {
  const checking = await withAnn();
  for (let number = 0; number < 100; number += 1) await checking.fail(1, 'ann', `203.0.113.${number}`);
  assert.equal(checking.hashed.length, 50);
  assert.equal(told(await checking.login('ann', RIGHT, THERE)), 'ok');
});

for (const address of ['203.0.113.1', host(1)])
  test(`${address} alone, failing whenever it may, does not lock a name out within a day`, async () => {
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
    assert.equal(told(await checking.login('ann', RIGHT, THERE)), 'ok');
    assert.ok(checking.hashed.length < 40, `${checking.hashed.length} guesses`);
  });

test('of 100 tries sent at once from one /56 no more are looked at than its share', async () => {
  const checking = new Checking({ ...DEFAULTS, beforeVerdict: () => turn() });
  await checking.add('ann');
  const tries = Array.from({ length: 100 }, (_, number) => checking.login('ann', 'wrong', host(number)));
  await Promise.all(tries);
  assert.equal(checking.hashed.length, 25);
});

test('a name that is nobody’s waits in a network like one that is somebody’s', async () => {
  const checking = await withAnn();
  for (const name of ['ann', 'nobody'])
    for (let number = 0; number < 25; number += 1) await checking.fail(1, name, host(number));
  for (const name of ['ann', 'nobody'])
    assert.equal(told(await checking.login(name, 'wrong', host(99))), 'login_failed network-waiting 43');
});

test('other names are let through from a network that waits for one', async () => {
  const checking = await withAnn();
  await checking.add('ben');
  for (let number = 0; number < 25; number += 1) await checking.fail(1, 'ann', host(number));
  assert.equal(told(await checking.login('ben', RIGHT, host(1))), 'ok');
});

test('from a familiar address the right password passes the wait of its network, and ends it', async () => {
  const checking = await withAnn();
  assert.equal(told(await checking.login('ann', RIGHT, host(50))), 'ok');
  for (let number = 0; number < 25; number += 1) await checking.fail(1, 'ann', host(number));
  assert.equal(told(await checking.login('ann', RIGHT, host(51))), 'login_failed network-waiting 43');
  assert.equal(told(await checking.login('ann', RIGHT, host(50))), 'ok');
  assert.equal(told(await checking.login('ann', RIGHT, host(51))), 'ok');
});

test('a success elsewhere does not end the wait of a network, and one of its own clears its count alone', async () => {
  const checking = await withAnn();
  for (let number = 0; number < 25; number += 1) await checking.fail(1, 'ann', host(number));
  assert.equal(told(await checking.login('ann', RIGHT, THERE)), 'ok');
  assert.equal(told(await checking.login('ann', RIGHT, host(51))), 'login_failed network-waiting 43');
  checking.now += 43 * SECOND;
  assert.equal(told(await checking.login('ann', RIGHT, host(51))), 'ok');
  const { subscriber, site, pair } = await checking.counters('ann', host(1));
  assert.deepEqual([subscriber, site, pair?.failures], [undefined, undefined, 1]);
});
