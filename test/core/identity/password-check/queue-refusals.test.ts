import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { QueueTimeout } from '../../../../src/core/identity/concurrency-limiter.ts';
import { AddressQueueFull } from '../../../../src/core/identity/hash-queue.ts';
import { ChangedStore } from '../../gate/changed-store.ts';
import { Checking, HERE, outcomeOf, RIGHT, THERE } from '../checking.ts';

/** A check whose hash queue refuses every attempt, because of its address or for another reason. */
function refusing(t: TestContext, why: QueueTimeout) {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const store = new ChangedStore();
  const checking = new Checking({ store, beforeVerdict: (password) => refuse(password, why) });
  const second = async () => {
    t.mock.timers.tick(1_000);
    for (let turns = 0; turns < 5; turns++) await turn();
  };
  return { checking, store, second };
}

async function refuse(password: string, why: QueueTimeout): Promise<void> {
  if (password !== RIGHT) throw why;
}

const FULL = new AddressQueueFull('this address has too many logins waiting');

test('logins that are refused because their address has too many waiting count as its failures', async (t) => {
  const { checking, second } = refusing(t, FULL);
  await checking.add('ann');
  for (let n = 0; n < 999; n++)
    assert.match(
      outcomeOf(await checking.login(`name-${n}`, 'wrong', THERE)),
      /^hash_queue_full this address/,
    );
  await second();
  assert.equal((await checking.counters('ann', THERE)).address?.failures, 999);
  assert.equal(outcomeOf(await checking.login('ann', RIGHT, THERE)), 'ok');
  await checking.login('ann', 'wrong', THERE);
  await second();
  assert.equal(outcomeOf(await checking.login('ben', RIGHT, THERE)), 'login_failed address-waiting 1');
  assert.equal(outcomeOf(await checking.login('ann', RIGHT, HERE)), 'ok');
});

test('however many are refused in one second, the address gets the shortest wait', async (t) => {
  const { checking, second } = refusing(t, FULL);
  for (let n = 0; n < 3_000; n++) await checking.login('ann', 'wrong', THERE);
  await second();
  assert.equal((await checking.counters('ann', THERE)).address?.failures, 1_000);
  assert.equal(outcomeOf(await checking.login('ann', 'wrong', THERE)), 'login_failed address-waiting 1');
});

test('refusals are written once a second, and count for the address only', async (t) => {
  const { checking, store, second } = refusing(t, FULL);
  const before = store.writes;
  for (let n = 0; n < 100; n++) await checking.login('ann', 'wrong', n % 2 === 0 ? HERE : THERE);
  await second();
  assert.equal(store.writes - before, 1);
  const { name, pair, address } = await checking.counters('ann', HERE);
  assert.deepEqual([name, pair, address?.failures], [undefined, undefined, 50]);
});

test('refusals by a queue that is full for another reason do not count', async (t) => {
  const { checking, second } = refusing(t, new QueueTimeout('the hash queue is full'));
  await checking.login('ann', 'wrong', THERE);
  await second();
  assert.equal((await checking.counters('ann', THERE)).address, undefined);
});
