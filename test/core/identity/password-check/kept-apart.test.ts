import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Checking, HERE, outcomeOf, RIGHT } from '../checking.ts';

test('a name that is too long is no user’s, even if its key is a user’s', async () => {
  const checking = new Checking();
  const name = 'é'.repeat(200);
  await checking.add(name);
  assert.equal(outcomeOf(await checking.login(name.normalize('NFD'), RIGHT)), 'login_failed unknown-name');
  assert.equal(outcomeOf(await checking.login(name, RIGHT)), 'ok');
});

test('the counters of a name can be removed, and that of the address stays', async () => {
  const checking = new Checking({ throttleAfter: 5, lockoutThreshold: 100 });
  const { name } = checking.keys('ann', HERE);
  await checking.fail(1, 'ann');
  await checking.store.write((unit) => unit.attempts.removeOfName(name));
  const { address, ...ofName } = await checking.counters('ann', HERE);
  assert.deepEqual(Object.values(ofName), [undefined, undefined, undefined, undefined]);
  assert.equal(address?.failures, 1);
});

test('a hash that another request renewed meanwhile is not replaced', async () => {
  const checking: Checking = new Checking({
    renewedHash: 'renewed here',
    beforeVerdict: () => checking.change('ann', { passwordHash: 'renewed elsewhere' }),
  });
  await checking.add('ann');
  assert.equal(outcomeOf(await checking.login('ann', RIGHT)), 'ok');
  assert.equal((await checking.user('ann')).passwordHash, 'renewed elsewhere');
});
