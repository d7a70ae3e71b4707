import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Checking, HERE, HOUR, outcomeOf, RIGHT, SECOND, THERE } from '../checking.ts';

/** An address that has failed 1,000 times, for as many names. */
async function spent(): Promise<Checking> {
  const checking = new Checking({ throttleAfter: 5, lockoutThreshold: 100 });
  await checking.add('ann');
  for (let index = 0; index < 1_000; index += 1) await checking.fail(1, `guess ${index}`);
  return checking;
}

test('an address that failed 1,000 times in an hour waits for all names', async () => {
  const checking = await spent();
  assert.equal(checking.hashed.length, 1_000);
  assert.equal(outcomeOf(await checking.login('ann', RIGHT)), 'login_failed address-waiting 1');
  assert.equal(outcomeOf(await checking.login('nobody', 'wrong')), 'login_failed address-waiting 1');
  assert.equal(checking.hashed.length, 1_000);
  checking.now += SECOND;
  await checking.fail(1, 'another guess');
  assert.equal(outcomeOf(await checking.login('ann', RIGHT)), 'login_failed address-waiting 2');
});

test('other addresses do not wait, and the address itself does not wait after its hour', async () => {
  const checking = await spent();
  assert.equal(outcomeOf(await checking.login('ann', RIGHT, THERE)), 'ok');
  assert.equal(outcomeOf(await checking.login('ann', RIGHT, HERE)), 'login_failed address-waiting 1');
  checking.now += HOUR;
  await checking.fail(4, 'ann');
  assert.equal(outcomeOf(await checking.login('ann', RIGHT)), 'ok');
});

test('a success does not reset the count of an address', async () => {
  const checking = await spent();
  checking.now += SECOND;
  assert.equal(outcomeOf(await checking.login('ann', RIGHT)), 'ok');
  await checking.fail(1, 'another guess');
  assert.equal(outcomeOf(await checking.login('ben', RIGHT)), 'login_failed address-waiting 2');
});

test('a user who logged in from a waiting address before is let in from there, and others are not', async () => {
  const checking = new Checking({ throttleAfter: 5, lockoutThreshold: 100 });
  for (const name of ['ann', 'ben']) await checking.add(name);
  assert.equal(outcomeOf(await checking.login('ann', RIGHT)), 'ok');
  for (let index = 0; index < 1_000; index += 1) await checking.fail(1, `guess ${index}`);
  assert.equal(outcomeOf(await checking.login('ben', RIGHT)), 'login_failed address-waiting 1');
  assert.equal(outcomeOf(await checking.login('ann', RIGHT)), 'ok');
  assert.equal(outcomeOf(await checking.login('ann', 'wrong')), 'login_failed wrong-password');
  assert.equal(outcomeOf(await checking.login('ann', RIGHT)), 'login_failed address-waiting 1');
});

test('names that no user has share one row of the events once their address waits', async () => {
  const checking = await spent();
  for (let index = 0; index < 50; index += 1) await checking.login(`${index} guess`, 'wrong');
  await checking.login('ann', 'wrong');
  const waiting = checking.tallied.filter(({ reason }) => reason === 'address-waiting');
  assert.equal(waiting.length, 51);
  assert.deepEqual(new Set(waiting.map(({ user }) => user)), new Set([undefined, 'ann']));
});
