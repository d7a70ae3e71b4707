import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { UNTIL_UNLOCKED } from '../../../../src/core/domain/user.ts';
import { openMemory } from '../../../engines/memory/open.ts';
import { openUntilEnd } from '../../../engines/sqlite/folder.ts';
import { temporaryFolder } from '../../../service/start.ts';
import { Checking, MINUTE, outcomeOf, RIGHT, SECOND, THERE } from '../checking.ts';

/** Ann, whose credential has just been verified. The hashes until now are not counted. */
async function withCachedCredential(
  rules: ConstructorParameters<typeof Checking>[0] = {},
): Promise<Checking> {
  const checking = new Checking(rules);
  await checking.add('ann');
  assert.equal(outcomeOf(await checking.repeat('ann', RIGHT)), 'ok');
  checking.hashed.length = 0;
  return checking;
}

test('a credential on each request costs one hash', async () => {
  const checking = await withCachedCredential();
  for (let time = 0; time < 20; time += 1) {
    assert.equal(outcomeOf(await checking.repeat('ANN', RIGHT)), 'ok');
    checking.now += 2 * SECOND;
  }
  assert.equal(checking.hashed.length, 0);
});

test('a credential is cached for a minute', async () => {
  const checking = await withCachedCredential();
  checking.now += MINUTE - 1;
  await checking.repeat('ann', RIGHT);
  assert.equal(checking.hashed.length, 0);
  checking.now += 1;
  await checking.repeat('ann', RIGHT);
  assert.equal(checking.hashed.length, 1);
});

test('a credential is verified again after a minute, however often it was used meanwhile', async () => {
  const checking = await withCachedCredential();
  for (let second = 1; second <= 180; second += 1) {
    checking.now += SECOND;
    assert.equal(outcomeOf(await checking.repeat('ann', RIGHT)), 'ok');
  }
  assert.equal(checking.hashed.length, 3);
});

test('a login costs a hash each time, and the requests after it cost none', async () => {
  const checking = await withCachedCredential();
  await checking.login('ann', RIGHT);
  await checking.login('ann', RIGHT);
  assert.equal(checking.hashed.length, 2);
  await checking.repeat('ann', RIGHT);
  assert.equal(checking.hashed.length, 2);
});

test('a wrong password is hashed each time, and a right one stays cached meanwhile', async () => {
  const checking = await withCachedCredential();
  for (let time = 0; time < 3; time += 1)
    assert.equal(outcomeOf(await checking.repeat('ann', 'wrong')), 'login_failed wrong-password');
  assert.equal(checking.hashed.length, 3);
  await checking.repeat('ann', RIGHT);
  assert.equal(checking.hashed.length, 3);
});

test('a cached credential ends with its password', async () => {
  const checking = await withCachedCredential();
  await checking.changePassword('ann', 'new one');
  assert.equal(outcomeOf(await checking.repeat('ann', RIGHT)), 'login_failed wrong-password');
  assert.equal(outcomeOf(await checking.repeat('ann', 'new one')), 'ok');
});

test('a cached credential ends when its user is removed, even if the name is added again', async () => {
  const checking = await withCachedCredential();
  const { id } = await checking.user('ann');
  await checking.store.write((unit) => unit.users.remove(id));
  assert.equal(outcomeOf(await checking.repeat('ann', RIGHT)), 'login_failed unknown-name');
  await checking.add('ann');
  await checking.repeat('ann', RIGHT);
  assert.equal(checking.hashed.length, 2);
});

test('a cached credential is refused when its user is disabled or locked by hand', async () => {
  for (const [change, reason] of [
    [{ disabled: true }, 'disabled'],
    [{ lockedUntil: UNTIL_UNLOCKED }, 'locked-by-hand'],
  ] as const) {
    const checking = await withCachedCredential();
    await checking.change('ann', change);
    assert.equal(outcomeOf(await checking.repeat('ann', RIGHT)), `login_failed ${reason}`);
    assert.equal(checking.hashed.length, 1, 'it costs what an unknown name costs');
  }
});

test('a cached credential is refused during a lock-out and during a wait', async () => {
  const locked = await withCachedCredential({ lockoutThreshold: 2 });
  await locked.fail(2, 'ann', THERE);
  assert.equal(outcomeOf(await locked.repeat('ann', RIGHT, '203.0.113.9')), 'login_failed locked 900');
  const waiting = await withCachedCredential({ throttleAfter: 2 });
  await waiting.fail(2, 'ann');
  assert.equal(outcomeOf(await waiting.repeat('ann', RIGHT)), 'login_failed waiting 1');
});

test('a cached credential is refused while its address waits, unless the address is familiar', async () => {
  const checking = await withCachedCredential({ throttleAfter: 5, lockoutThreshold: 100 });
  for (let guess = 0; guess < 1_000; guess += 1) await checking.fail(1, `guess ${guess}`);
  assert.equal(outcomeOf(await checking.repeat('ann', RIGHT)), 'ok');
  await checking.fail(1, 'ann');
  assert.equal(outcomeOf(await checking.repeat('ann', RIGHT)), 'login_failed address-waiting 1');
});

test('a cached credential clears failures, as every success does', async () => {
  const checking = await withCachedCredential({ throttleAfter: 3 });
  for (let round = 0; round < 3; round += 1) {
    await checking.fail(2, 'ann');
    assert.equal(outcomeOf(await checking.repeat('ann', RIGHT)), 'ok');
  }
});

test('the cache accepts a credential for a minute, from the address it was verified from', async () => {
  const checking = await withCachedCredential();
  assert.deepEqual(await checking.fromCache('Ann', RIGHT), await checking.user('ann'));
  assert.equal(await checking.fromCache('ann', 'wrong'), undefined);
  assert.equal(await checking.fromCache('bob', RIGHT), undefined);
  assert.equal(
    await checking.fromCache('ann', RIGHT, THERE),
    undefined,
    'that address is still to be made familiar',
  );
  checking.now += MINUTE;
  assert.equal(await checking.fromCache('ann', RIGHT), undefined);
  assert.equal(checking.hashed.length, 0);
});

test('the cache accepts nobody during a lock or a wait, after disabling or a change, or with failures that a success clears', async (t) => {
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
    // The embedded store can tell whether a known state is still valid; the memory store reads it again.
    for (const store of [openMemory(), openUntilEnd(t, join(folder, String(index)))]) {
      const checking = await withCachedCredential({ throttleAfter: 3, lockoutThreshold: 3, store });
      for (let time = 0; time < 2; time += 1)
        assert.notEqual(await checking.fromCache('ann', RIGHT), undefined);
      await spoil(checking);
      assert.equal(await checking.fromCache('ann', RIGHT), undefined, spoil.toString());
    }
  }
});

test('the cache does not accept a name that no user can have as the user with the same key', async (t) => {
  const checking = new Checking({ store: openUntilEnd(t, await temporaryFolder(t)) });
  const name = 'é'.repeat(200);
  await checking.add(name);
  assert.equal(outcomeOf(await checking.repeat(name, RIGHT)), 'ok');
  assert.notEqual(await checking.fromCache(name, RIGHT), undefined);
  assert.equal(await checking.fromCache(name.normalize('NFD'), RIGHT), undefined);
});
