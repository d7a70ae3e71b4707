import assert from 'node:assert/strict';
import { test } from 'node:test';
import { QueueTimeout } from '../../../../src/core/identity/concurrency-limiter.ts';
import { Checking, DAY, HERE, outcomeOf, RIGHT, SECOND, THERE } from '../checking.ts';

test('after 5 failures a name waits at that address: a second, doubling to 15 minutes', async () => {
  const checking = new Checking({ throttleAfter: 5 });
  await checking.add('ann');
  await checking.fail(5, 'ann');
  const waits: number[] = [];
  for (let time = 0; time < 12; time += 1) {
    const refused = await checking.login('ann', RIGHT);
    assert.equal(outcomeOf(refused), `login_failed waiting ${'retryAfter' in refused && refused.retryAfter}`);
    const wait = 'retryAfter' in refused ? Number(refused.retryAfter) : 0;
    waits.push(wait);
    checking.now += wait * SECOND;
    await checking.fail(1, 'ann');
  }
  assert.deepEqual(waits, [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 900, 900]);
  assert.equal(checking.hashed.length, 17, 'nothing was hashed while waiting');
});

test('the seconds to wait are rounded up, so that an attempt after them is let through', async () => {
  const checking = new Checking({ throttleAfter: 1 });
  await checking.fail(1, 'ann');
  checking.now += 999;
  assert.equal(outcomeOf(await checking.login('ann', 'wrong')), 'login_failed waiting 1');
  checking.now += 1;
  assert.equal(outcomeOf(await checking.login('ann', 'wrong')), 'login_failed unknown-name');
});

test('attempts during a wait are not hashed, not counted, and do not lengthen the wait', async () => {
  const checking = new Checking({ throttleAfter: 5, lockoutThreshold: 8 });
  await checking.add('ann');
  await checking.fail(5, 'ann');
  const before = await checking.counters('ann', HERE);
  const events = await checking.events();
  checking.now += 400;
  await checking.fail(50, 'ann');
  assert.equal(checking.hashed.length, 5);
  assert.deepEqual(await checking.counters('ann', HERE), before);
  assert.deepEqual(await checking.events(), events);
  checking.now += 600;
  assert.equal(outcomeOf(await checking.login('ann', RIGHT)), 'ok');
});

test('only the one name waits, and only at the one address', async () => {
  const checking = new Checking({ throttleAfter: 1 });
  await checking.add('ann');
  await checking.add('ben');
  await checking.fail(1, 'ann', HERE);
  assert.equal(outcomeOf(await checking.login('ann', RIGHT, HERE)), 'login_failed waiting 1');
  assert.equal(outcomeOf(await checking.login('ann', RIGHT, THERE)), 'ok');
  assert.equal(outcomeOf(await checking.login('ben', RIGHT, HERE)), 'ok');
});

test('spellings of a name that differ by case or composition are one name', async () => {
  const checking = new Checking({ throttleAfter: 3 });
  for (const name of ['Zo\u00eb', 'ZOE\u0308', 'zo\u00eb']) await checking.fail(1, name);
  assert.equal(outcomeOf(await checking.login('zoe\u0308', 'wrong')), 'login_failed waiting 1');
});

test('a success clears the count of the name, and that of the name at the address', async () => {
  const checking = new Checking({ throttleAfter: 3, lockoutThreshold: 100 });
  await checking.add('ann');
  await checking.fail(3, 'ann');
  checking.now += SECOND;
  assert.equal(outcomeOf(await checking.login('ann', RIGHT)), 'ok');
  const { name, pair } = await checking.counters('ann', HERE);
  assert.deepEqual([name, pair], [undefined, undefined]);
  await checking.fail(2, 'ann');
  assert.equal(outcomeOf(await checking.login('ann', RIGHT)), 'ok');
});

test('a count is forgotten a day after its last failure', async () => {
  const checking = new Checking({ throttleAfter: 3 });
  await checking.fail(2, 'ann');
  checking.now += DAY;
  await checking.fail(2, 'ann');
  assert.equal(outcomeOf(await checking.login('ann', 'wrong')), 'login_failed unknown-name');
  assert.equal(outcomeOf(await checking.login('ann', 'wrong')), 'login_failed waiting 1');
});

test('a threshold of 0 lets every attempt through', async () => {
  const checking = new Checking({ throttleAfter: 0 });
  await checking.add('ann');
  await checking.fail(60, 'ann');
  assert.equal(checking.hashed.length, 60);
  assert.equal(outcomeOf(await checking.login('ann', RIGHT)), 'ok');
});

test('processes on the same store share the counters', async () => {
  const first = new Checking({ throttleAfter: 5 });
  await first.fail(5, 'ann');
  const second = new Checking({ throttleAfter: 5, store: first.store });
  assert.equal(outcomeOf(await second.login('ann', 'wrong')), 'login_failed waiting 1');
});

test('an attempt without a turn for its hash is not a failure, and frees its slot', async () => {
  let full = true;
  const beforeVerdict = async () => {
    if (full) throw new QueueTimeout('full');
  };
  const checking = new Checking({ throttleAfter: 1, lockoutThreshold: 1, beforeVerdict });
  await checking.add('ann');
  for (let time = 0; time < 3; time += 1)
    assert.equal(outcomeOf(await checking.login('ann', RIGHT)), 'hash_queue_full full 2');
  full = false;
  assert.equal(outcomeOf(await checking.login('ann', RIGHT)), 'ok');
  assert.deepEqual(await checking.events(), []);
});

test('a verifier that throws is a fault and not a refusal, and stops no other attempt', async () => {
  let broken = true;
  const beforeVerdict = async () => {
    if (broken) throw new Error('broken');
  };
  const checking = new Checking({ throttleAfter: 1, beforeVerdict });
  await checking.add('ann');
  await assert.rejects(checking.login('ann', RIGHT), /broken/);
  broken = false;
  assert.equal(outcomeOf(await checking.login('ann', RIGHT)), 'ok');
});

test('a password of 1,024 bytes is hashed, a longer one is refused and not counted', async () => {
  const checking = new Checking({ throttleAfter: 1 });
  assert.equal(outcomeOf(await checking.login('ann', 'x'.repeat(1_025))), 'password_too_long');
  assert.equal(outcomeOf(await checking.login('ann', '\u00e9'.repeat(513))), 'password_too_long');
  assert.equal(checking.hashed.length, 0);
  assert.equal(outcomeOf(await checking.login('ann', '\u00e9'.repeat(512))), 'login_failed unknown-name');
});
