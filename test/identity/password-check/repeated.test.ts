import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { UNTIL_UNLOCKED } from '../../../src/domain/user.ts';
import { temporaryFolder } from '../../service/start.ts';
import { openMemory } from '../../storage/memory/open.ts';
import { openUntilEnd } from '../../storage/sqlite/folder.ts';
import { Checking, MINUTE, RIGHT, SECOND, THERE, told } from '../checking.ts';

/** Ann, whose pair has just been verified; the hashes so far are forgotten. */
async function remembered(rules: ConstructorParameters<typeof Checking>[0] = {}): Promise<Checking> {
  const checking = new Checking(rules);
  await checking.add('ann');
  assert.equal(told(await checking.repeat('ann', RIGHT)), 'ok');
  checking.hashed.length = 0;
  return checking;
}

test('a pair that comes with each request costs one hash', async () => {
  const checking = await remembered();
  for (let time = 0; time < 20; time += 1) {
    assert.equal(told(await checking.repeat('ANN', RIGHT)), 'ok');
    checking.now += 2 * SECOND;
  }
  assert.equal(checking.hashed.length, 0);
});

test('a pair is remembered for a minute', async () => {
  const checking = await remembered();
  checking.now += MINUTE - 1;
  await checking.repeat('ann', RIGHT);
  assert.equal(checking.hashed.length, 0);
  checking.now += 1;
  await checking.repeat('ann', RIGHT);
  assert.equal(checking.hashed.length, 1);
});

test('a pair is verified again after a minute, however often it was used meanwhile', async () => {
  const checking = await remembered();
  for (let second = 1; second <= 180; second += 1) {
    checking.now += SECOND;
    assert.equal(told(await checking.repeat('ann', RIGHT)), 'ok');
  }
  assert.equal(checking.hashed.length, 3);
});

test('a login costs a hash each time, and spares the requests after it theirs', async () => {
  const checking = await remembered();
  await checking.login('ann', RIGHT);
  await checking.login('ann', RIGHT);
  assert.equal(checking.hashed.length, 2);
  await checking.repeat('ann', RIGHT);
  assert.equal(checking.hashed.length, 2);
});

test('a wrong password is looked at each time, and a right one beside it stays remembered', async () => {
  const checking = await remembered();
  for (let time = 0; time < 3; time += 1)
    assert.equal(told(await checking.repeat('ann', 'wrong')), 'login_failed wrong-password');
  assert.equal(checking.hashed.length, 3);
  await checking.repeat('ann', RIGHT);
  assert.equal(checking.hashed.length, 3);
});

test('a remembered pair does not outlive its password', async () => {
  const checking = await remembered();
  await checking.changePassword('ann', 'new one');
  assert.equal(told(await checking.repeat('ann', RIGHT)), 'login_failed wrong-password');
  assert.equal(told(await checking.repeat('ann', 'new one')), 'ok');
});

test('a remembered pair does not outlive a removal, not even when the name is added again', async () => {
  const checking = await remembered();
  const { id } = await checking.user('ann');
  await checking.store.write((unit) => unit.users.remove(id));
  assert.equal(told(await checking.repeat('ann', RIGHT)), 'login_failed unknown-name');
  await checking.add('ann');
  await checking.repeat('ann', RIGHT);
  assert.equal(checking.hashed.length, 2);
});

test('a remembered pair does not outlive a disabling or a lock by hand', async () => {
  for (const [change, reason] of [
    [{ disabled: true }, 'disabled'],
    [{ lockedUntil: UNTIL_UNLOCKED }, 'locked-by-hand'],
  ] as const) {
    const checking = await remembered();
    await checking.change('ann', change);
    assert.equal(told(await checking.repeat('ann', RIGHT)), `login_failed ${reason}`);
    assert.equal(checking.hashed.length, 1, 'it costs what an unknown name costs');
  }
});

test('a remembered pair does not outlive a lock-out, and skips no wait', async () => {
  const locked = await remembered({ lockoutThreshold: 2 });
  await locked.fail(2, 'ann', THERE);
  assert.equal(told(await locked.repeat('ann', RIGHT, '203.0.113.9')), 'login_failed locked 900');
  const waiting = await remembered({ throttleAfter: 2 });
  await waiting.fail(2, 'ann');
  assert.equal(told(await waiting.repeat('ann', RIGHT)), 'login_failed waiting 1');
});

test('a remembered pair skips no wait of its address, unless the user is familiar there', async () => {
  const checking = await remembered({ throttleAfter: 5, lockoutThreshold: 100 });
  for (let guess = 0; guess < 1_000; guess += 1) await checking.fail(1, `guess ${guess}`);
  assert.equal(told(await checking.repeat('ann', RIGHT)), 'ok');
  await checking.fail(1, 'ann');
  assert.equal(told(await checking.repeat('ann', RIGHT)), 'login_failed address-waiting 1');
});

test('a remembered pair clears the failures beside it, as every success does', async () => {
  const checking = await remembered({ throttleAfter: 3 });
  for (let round = 0; round < 3; round += 1) {
    await checking.fail(2, 'ann');
    assert.equal(told(await checking.repeat('ann', RIGHT)), 'ok');
  }
});

test('a pair is recalled without a hash for the minute, from the address that it was verified from', async () => {
  const checking = await remembered();
  assert.deepEqual(await checking.recall('Ann', RIGHT), await checking.user('ann'));
  assert.equal(await checking.recall('ann', 'wrong'), undefined);
  assert.equal(await checking.recall('bob', RIGHT), undefined);
  assert.equal(
    await checking.recall('ann', RIGHT, THERE),
    undefined,
    'that address is still to be made familiar',
  );
  checking.now += MINUTE;
  assert.equal(await checking.recall('ann', RIGHT), undefined);
  assert.equal(checking.hashed.length, 0);
});

test('nobody is recalled past a lock, a wait, a disabling or a change, nor past failures that a success clears', async (t) => {
  const folder = await temporaryFolder(t);
  for (const [index, spoil] of [
    (checking: Checking) => checking.change('ann', { lockedUntil: UNTIL_UNLOCKED }),
    (checking: Checking) => checking.change('ann', { lockedUntil: checking.now + MINUTE }),
    (checking: Checking) => checking.change('ann', { disabled: true }),
    (checking: Checking) => checking.changePassword('ann', 'new one'),
    (checking: Checking) => checking.fail(1, 'ann'),
    (checking: Checking) => checking.fail(3, 'ann'),
    (checking: Checking) => checking.fail(3, 'ann', THERE),
  ].entries()) {
    // The embedded store tells those who know a standing whether it holds still; the one in memory reads it anew.
    for (const store of [openMemory(), openUntilEnd(t, join(folder, String(index)))]) {
      const checking = await remembered({ throttleAfter: 3, lockoutThreshold: 3, store });
      for (let time = 0; time < 2; time += 1) assert.notEqual(await checking.recall('ann', RIGHT), undefined);
      await spoil(checking);
      assert.equal(await checking.recall('ann', RIGHT), undefined, spoil.toString());
    }
  }
});

test('a name that cannot be anybody’s is not recalled as the user whose key it has', async (t) => {
  const checking = new Checking({ store: openUntilEnd(t, await temporaryFolder(t)) });
  const name = 'é'.repeat(200);
  await checking.add(name);
  assert.equal(told(await checking.repeat(name, RIGHT)), 'ok');
  assert.notEqual(await checking.recall(name, RIGHT), undefined);
  assert.equal(await checking.recall(name.normalize('NFD'), RIGHT), undefined);
});
