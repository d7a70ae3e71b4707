import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { VerifierUnavailable } from '../../../../src/core/identity/verifiers/verifier.ts';
import { type Store, StoreUnavailable } from '../../../../src/core/storage/store.ts';
import { openMemory } from '../../../engines/memory/open.ts';
import { Checking, HERE, MINUTE, outcomeOf, RIGHT, THERE, type Wanted } from '../checking.ts';

/** Ann, at a familiar address. From now on the store writes nothing, until the test repairs it. */
async function readOnly(
  t: TestContext,
  wanted: Wanted = {},
): Promise<{ checking: Checking; mend: () => void }> {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const store = openMemory();
  let full = false;
  const write: Store['write'] = (work) =>
    full ? Promise.reject(new StoreUnavailable('the disk is full')) : store.write(work);
  const checking = new Checking({
    throttleAfter: 5,
    lockoutThreshold: 100,
    ...wanted,
    store: { ...store, write },
  });
  await checking.add('ann');
  await checking.login('ann', RIGHT);
  checking.hashed.length = 0;
  full = true;
  return {
    checking,
    mend: () => {
      full = false;
    },
  };
}

async function failUnwritten(
  checking: Checking,
  times: number,
  address?: string,
  name = 'ann',
): Promise<void> {
  for (let time = 0; time < times; time += 1)
    await assert.rejects(checking.repeat(name, `wrong ${time}`, address), StoreUnavailable);
}

const NO_ROOM = 'hash_queue_full failures that could not be written leave no room for another 2';

test('while failures cannot be written, as many guesses are hashed as there are failures before a wait', async (t) => {
  const { checking } = await readOnly(t);
  checking.now += MINUTE;
  await failUnwritten(checking, 5);
  for (const password of ['wrong', RIGHT])
    assert.equal(outcomeOf(await checking.repeat('ann', password)), NO_ROOM);
  assert.equal(checking.hashed.length, 5);
});

test('if the verifier is unavailable too, the number of guesses is the same', async (t) => {
  const { checking } = await readOnly(t, {
    beforeVerdict: (password) =>
      password === RIGHT ? Promise.resolve() : Promise.reject(new VerifierUnavailable('no answer')),
  });
  checking.now += MINUTE;
  await failUnwritten(checking, 5);
  assert.equal(outcomeOf(await checking.repeat('ann', RIGHT)), NO_ROOM);
});

test('unwritten failures count over all addresses, up to the threshold of the lock-out', async (t) => {
  const { checking } = await readOnly(t, { lockoutThreshold: 7 });
  checking.now += MINUTE;
  await failUnwritten(checking, 4);
  await failUnwritten(checking, 3, THERE);
  assert.equal(outcomeOf(await checking.repeat('ann', RIGHT)), NO_ROOM);
});

test('unwritten failures count over all names of an address, up to its threshold', async (t) => {
  const { checking } = await readOnly(t);
  for (let index = 0; index < 200; index += 1) await failUnwritten(checking, 5, HERE, `name ${index}`);
  assert.equal(outcomeOf(await checking.repeat('another', 'wrong', HERE)), NO_ROOM);
  assert.equal(checking.hashed.length, 1_000);
  await failUnwritten(checking, 1, THERE, 'another');
});

test('an unwritten failure is forgotten after the longest wait, and not when the store writes again', async (t) => {
  const { checking, mend } = await readOnly(t);
  checking.now += MINUTE;
  await failUnwritten(checking, 5);
  mend();
  assert.equal(outcomeOf(await checking.repeat('ann', RIGHT)), NO_ROOM);
  t.mock.timers.tick(15 * MINUTE);
  assert.equal(outcomeOf(await checking.repeat('ann', RIGHT)), 'ok');
  assert.equal(checking.hashed.length, 6);
});
