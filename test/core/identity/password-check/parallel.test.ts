import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import {
  ConcurrencyLimiter,
  FirstComeFirstServed,
} from '../../../../src/core/identity/concurrency-limiter.ts';
import type { Store } from '../../../../src/core/storage/store.ts';
import { openMemory } from '../../../engines/memory/open.ts';
import { ChangedStore } from '../../gate/changed-store.ts';
import { Checking, HERE, outcomeOf, RIGHT, THERE } from '../checking.ts';

const outcomes = async (attempts: readonly Promise<Parameters<typeof outcomeOf>[0]>[]) => {
  const counted: Record<string, number> = {};
  for (const result of await Promise.all(attempts))
    counted[outcomeOf(result)] = (counted[outcomeOf(result)] ?? 0) + 1;
  return counted;
};

const atOnce = <T>(times: number, act: (index: number) => T) =>
  Array.from({ length: times }, (_, index) => act(index));

test('of 40 parallel wrong attempts 5 are hashed and the others wait', async () => {
  const checking = new Checking({ throttleAfter: 5, beforeVerdict: () => turn() });
  await checking.add('ann');
  const attempts = atOnce(40, (index) => checking.login('ann', `wrong ${index}`));
  assert.deepEqual(await outcomes(attempts), {
    'login_failed wrong-password': 5,
    'login_failed waiting 1': 35,
  });
  assert.equal(checking.hashed.length, 5);
  assert.equal((await checking.counters('ann', HERE)).pair?.failures, 5);
});

test('of 40 parallel wrong attempts after a wait one is hashed', async () => {
  const checking = new Checking({ throttleAfter: 5, beforeVerdict: () => turn() });
  await checking.fail(5, 'ann');
  checking.now += 1_000;
  const attempts = atOnce(40, (index) => checking.login('ann', `wrong ${index}`));
  assert.deepEqual(await outcomes(attempts), {
    'login_failed unknown-name': 1,
    'login_failed waiting 2': 39,
  });
});

test('40 parallel right attempts all succeed, by every way in', async () => {
  const checking = new Checking({ throttleAfter: 5, lockoutThreshold: 2, beforeVerdict: () => turn() });
  await checking.add('ann');
  assert.deepEqual(await outcomes(atOnce(40, () => checking.login('ann', RIGHT))), { ok: 40 });
  assert.deepEqual(await outcomes(atOnce(40, () => checking.repeat('ann', RIGHT))), { ok: 40 });
});

test('the reads of parallel attempts grow with their number, and not with its square', async () => {
  const store = new ChangedStore();
  const checking = new Checking({ store, throttleAfter: 5, beforeVerdict: () => turn() });
  await checking.add('ann');
  assert.deepEqual(await outcomes(atOnce(100, () => checking.login('ann', RIGHT))), { ok: 100 });
  assert.ok(store.reads < 100 * 8, `${store.reads} reads`);
});

test('a failure that is counted after an attempt read its counters still counts for that attempt', async () => {
  const memory = openMemory();
  const hash = Promise.withResolvers<void>();
  const looked = Promise.withResolvers<void>();
  const read = Promise.withResolvers<void>();
  let holds = false;
  const store: Store = {
    ...memory,
    read: async (work) => {
      const value = await memory.read(work);
      if (!holds) return value;
      looked.resolve();
      await read.promise;
      return value;
    },
  };
  const checking = new Checking({ store, throttleAfter: 1, beforeVerdict: () => hash.promise });
  const first = checking.login('ann', 'wrong');
  while (checking.hashed.length === 0) await turn();
  holds = true;
  const second = checking.login('ann', 'wrong');
  await looked.promise;
  hash.resolve();
  assert.equal(outcomeOf(await first), 'login_failed unknown-name');
  read.resolve();
  assert.equal(outcomeOf(await second), 'login_failed waiting 1');
  assert.equal(checking.hashed.length, 1);
});

test('parallel wrong attempts from many addresses do not exceed the threshold of a lock-out', async () => {
  const checking = new Checking({ throttleAfter: 5, lockoutThreshold: 7, beforeVerdict: () => turn() });
  await checking.add('ann');
  const attempts = atOnce(40, (index) => checking.login('ann', 'wrong', `203.0.113.${index}`));
  assert.deepEqual(await outcomes(attempts), {
    'login_failed wrong-password': 7,
    'login_failed locked 900': 33,
  });
});

test('attempts under another name or from another address do not wait for these', async () => {
  let release = () => {};
  const blocked = new Promise<void>((resolve) => {
    release = resolve;
  });
  const beforeVerdict = (password: string) => (password === 'slow' ? blocked : Promise.resolve());
  const checking = new Checking({ throttleAfter: 1, lockoutThreshold: 100, beforeVerdict });
  await checking.add('ann');
  await checking.add('ben');
  const slow = checking.login('ann', 'slow', HERE);
  assert.equal(outcomeOf(await checking.login('ann', RIGHT, THERE)), 'ok');
  assert.equal(outcomeOf(await checking.login('ben', RIGHT, HERE)), 'ok');
  release();
  assert.equal(outcomeOf(await slow), 'login_failed wrong-password');
});

test('an attempt that goes on and then waits under another key continues the next one in its place', async () => {
  const fromHere = Promise.withResolvers<void>();
  const fromThere = Promise.withResolvers<void>();
  const blocked = [fromHere.promise, fromThere.promise];
  const beforeVerdict = async () => blocked.shift();
  const checking = new Checking({ throttleAfter: 1, lockoutThreshold: 2, beforeVerdict });
  await checking.add('ann');
  const begin = async (address: string) => {
    const result = checking.login('ann', RIGHT, address);
    await turn();
    return { result };
  };
  const here = await begin(HERE);
  const there = await begin(THERE);
  const hereAgain = await begin(HERE);
  const elsewhere = await begin('203.0.113.9');
  assert.equal(checking.hashed.length, 2);
  fromThere.resolve();
  assert.equal(outcomeOf(await there.result), 'ok');
  assert.equal(outcomeOf(await elsewhere.result), 'ok');
  assert.equal(checking.hashed.length, 3);
  fromHere.resolve();
  assert.equal(outcomeOf(await here.result), 'ok');
  assert.equal(outcomeOf(await hereAgain.result), 'ok');
});

test('an attempt that waits past the deadline is rejected, and is not counted', async () => {
  let release = () => {};
  const blocked = new Promise<void>((resolve) => {
    release = resolve;
  });
  const checking = new Checking({ throttleAfter: 1, deadline: 20, beforeVerdict: () => blocked });
  await checking.add('ann');
  const first = checking.login('ann', RIGHT);
  const held = await checking.login('ann', 'wrong');
  assert.equal('refused' in held && held.refused, 'hash_queue_full');
  assert.equal('refused' in held && held.retryAfter, 2);
  release();
  assert.equal(outcomeOf(await first), 'ok');
  assert.deepEqual(await checking.events(), []);
});

test('waiting for others and waiting for the hash share one deadline', async (t) => {
  let now = 0;
  t.mock.method(performance, 'now', () => now);
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const pass = async (milliseconds: number) => {
    now += milliseconds;
    t.mock.timers.tick(milliseconds);
    await turn();
  };
  const ends: (() => void)[] = [];
  const hash = () => new Promise<void>((resolve) => void ends.push(resolve));
  const limits = { atOnce: 1, deadline: 5_000 };
  const limiter = new ConcurrencyLimiter(limits, new FirstComeFirstServed(10));
  const beforeVerdict = (_: string, giveUpAt: number | undefined) => limiter.run(hash, undefined, giveUpAt);
  const checking = new Checking({ throttleAfter: 1, deadline: 5_000, beforeVerdict });
  for (const name of ['ann', 'ben']) await checking.add(name);
  const first = checking.login('ann', RIGHT);
  await turn();
  const held = checking.login('ann', RIGHT);
  await pass(3_000);
  const other = checking.login('ben', RIGHT);
  await turn();
  ends[0]?.();
  assert.equal(outcomeOf(await first), 'ok');
  await turn();
  assert.equal(limiter.waiting, 1, 'its hash has no turn yet');
  await pass(1_999);
  assert.equal(limiter.waiting, 1);
  await pass(1);
  assert.equal(limiter.waiting, 0);
  assert.match(outcomeOf(await held), /^hash_queue_full no turn/);
  ends[1]?.();
  assert.equal(outcomeOf(await other), 'ok');
});

test('a success also clears a failure that was counted while it was in flight', async () => {
  const done: Record<string, () => void> = {};
  const beforeVerdict = (password: string) =>
    new Promise<void>((resolve) => {
      done[password] = resolve;
    });
  const checking = new Checking({ throttleAfter: 5, lockoutThreshold: 100, beforeVerdict });
  await checking.add('ann');
  const begun = async (password: string) => {
    const result = checking.login('ann', password);
    while (done[password] === undefined) await turn();
    return { result };
  };
  const first = await begun(RIGHT);
  done[RIGHT]?.();
  await first.result;
  delete done[RIGHT];
  const wrong = await begun('wrong');
  const right = await begun(RIGHT);
  done.wrong?.();
  await wrong.result;
  done[RIGHT]?.();
  assert.equal(outcomeOf(await right.result), 'ok');
  const { name, pair } = await checking.counters('ann', HERE);
  assert.deepEqual([name, pair], [undefined, undefined]);
});

test('an attempt from a familiar address does not wait for guesses from elsewhere', async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  const beforeVerdict = (password: string) => (password === RIGHT ? Promise.resolve() : promise);
  const checking = new Checking({ throttleAfter: 5, lockoutThreshold: 2, beforeVerdict });
  await checking.add('ann');
  assert.equal(outcomeOf(await checking.login('ann', RIGHT, HERE)), 'ok');
  const guesses = atOnce(4, (index) => checking.login('ann', 'wrong', `203.0.113.${index}`));
  while (checking.hashed.length < 3) await turn();
  assert.equal(outcomeOf(await checking.login('ann', RIGHT, HERE)), 'ok');
  resolve();
  await Promise.all(guesses);
});

test('during a lock-out attempts from a familiar address are hashed one after another', async () => {
  const checking = new Checking({ throttleAfter: 5, lockoutThreshold: 2, beforeVerdict: () => turn() });
  await checking.add('ann');
  await checking.login('ann', RIGHT, HERE);
  await checking.fail(2, 'ann', THERE);
  const before = checking.hashed.length;
  await Promise.all(atOnce(5, (index) => checking.login('ann', `wrong ${index}`, HERE)));
  assert.equal(checking.hashed.length - before, 1);
});
