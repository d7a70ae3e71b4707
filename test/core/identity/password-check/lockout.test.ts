import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Checking, DAY, HERE, MINUTE, outcomeOf, RIGHT, THERE } from '../checking.ts';

const failEverywhere = async (checking: Checking, times: number, name: string) => {
  for (let host = 1; host <= times; host += 1) await checking.fail(1, name, `203.0.113.${host}`);
};

test('failures at any addresses lock a name out, and then even the right password is refused without hashing', async () => {
  const checking = new Checking({ throttleAfter: 5, lockoutThreshold: 3 });
  await checking.add('ann');
  await failEverywhere(checking, 3, 'ann');
  assert.equal(outcomeOf(await checking.login('ann', RIGHT)), 'login_failed locked 900');
  assert.equal(checking.hashed.length, 3);
  assert.equal((await checking.user('ann')).lockedUntil, checking.now + 15 * MINUTE);
});

test('after a lock-out one more failure locks for twice as long, and a success resets the count', async () => {
  const checking = new Checking({ lockoutThreshold: 3 });
  await checking.add('ann');
  await failEverywhere(checking, 3, 'ann');
  checking.now += 15 * MINUTE;
  await checking.fail(1, 'ann', '203.0.113.4');
  assert.equal((await checking.user('ann')).lockedUntil, checking.now + 30 * MINUTE);
  assert.equal(outcomeOf(await checking.login('ann', RIGHT)), 'login_failed locked 1800');
  checking.now += 30 * MINUTE;
  assert.equal(outcomeOf(await checking.login('ann', RIGHT)), 'ok');
  await failEverywhere(checking, 2, 'ann');
  assert.equal(outcomeOf(await checking.login('ann', RIGHT, THERE)), 'ok');
});

test('guesses from many addresses, sent whenever no lock holds, are 106 on the first day and one on each further day', async () => {
  const checking = new Checking({ lockoutThreshold: 100 });
  await checking.add('ann');
  const start = checking.now;
  const guessed: number[] = [];
  for (let day = 1; day <= 5; day += 1) {
    for (let host = 0; checking.now < start + day * DAY; host += 1) {
      await checking.fail(1, 'ann', `2001:db8:${day}${String(host).padStart(3, '0')}::/64`);
      checking.now = Math.max(checking.now + MINUTE, (await checking.user('ann')).lockedUntil);
    }
    guessed.push(checking.hashed.length);
  }
  assert.deepEqual(guessed, [106, 107, 108, 109, 110]);
});

test('attempts during a lock-out are not counted, and do not lengthen it', async () => {
  const checking = new Checking({ lockoutThreshold: 3 });
  await checking.add('ann');
  await failEverywhere(checking, 3, 'ann');
  const { lockedUntil } = await checking.user('ann');
  const before = await checking.counters('ann', HERE);
  checking.now += 5 * MINUTE;
  await checking.fail(20, 'ann');
  assert.deepEqual(await checking.counters('ann', HERE), before);
  assert.equal((await checking.user('ann')).lockedUntil, lockedUntil);
  assert.equal(outcomeOf(await checking.login('ann', RIGHT)), 'login_failed locked 600');
});

test('a success before the last failure resets the count', async () => {
  const checking = new Checking({ lockoutThreshold: 3 });
  await checking.add('ann');
  for (let round = 0; round < 4; round += 1) {
    await failEverywhere(checking, 2, 'ann');
    assert.equal(outcomeOf(await checking.login('ann', RIGHT, THERE)), 'ok');
  }
});

test('a success clears the count at its own address, and other addresses go on waiting', async () => {
  const checking = new Checking({ throttleAfter: 2, lockoutThreshold: 10 });
  await checking.add('ann');
  await checking.fail(2, 'ann', HERE);
  assert.equal(outcomeOf(await checking.login('ann', RIGHT, THERE)), 'ok');
  assert.equal(outcomeOf(await checking.login('ann', RIGHT, HERE)), 'login_failed waiting 1');
});

test('a threshold of 0 locks nobody out', async () => {
  const checking = new Checking({ lockoutThreshold: 0 });
  await checking.add('ann');
  await failEverywhere(checking, 150, 'ann');
  assert.equal(outcomeOf(await checking.login('ann', RIGHT)), 'ok');
  assert.equal((await checking.user('ann')).lockedUntil, 0);
});

test('a lock-out and its end by the right password are events', async () => {
  const checking = new Checking({ lockoutThreshold: 2 });
  await checking.add('Ann');
  await checking.login('ann', RIGHT);
  await failEverywhere(checking, 2, 'ann');
  await checking.login('ANN', RIGHT);
  const locks = (await checking.events()).filter(({ kind }) => kind === 'lock' || kind === 'unlock');
  assert.deepEqual(
    locks.map(({ kind, user, from, at }) => ({ kind, user, from, at })),
    [
      { kind: 'lock', user: 'Ann', from: '203.0.113.2', at: checking.now },
      { kind: 'unlock', user: 'Ann', from: HERE, at: checking.now },
    ],
  );
});

test('a lock-out of several days lasts as long for a name that no user has as for a user', async () => {
  const checking = new Checking({ lockoutThreshold: 1, lockoutDuration: 3 * DAY });
  await checking.add('ann');
  for (const name of ['ann', 'nobody']) await checking.fail(1, name);
  checking.now += 2 * DAY;
  for (const name of ['ann', 'nobody'])
    assert.equal(outcomeOf(await checking.login(name, RIGHT, THERE)), 'login_failed locked 86400', name);
});

test('a failure by one process locks the name out for all', async () => {
  const first = new Checking({ lockoutThreshold: 2 });
  await first.add('ann');
  const second = new Checking({ lockoutThreshold: 2, store: first.store });
  await first.fail(1, 'ann', HERE);
  await second.fail(1, 'ann', THERE);
  assert.equal(outcomeOf(await first.login('ann', RIGHT, '203.0.113.9')), 'login_failed locked 900');
});
