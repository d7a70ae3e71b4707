import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ChangedStore } from '../../gate/changed-store.ts';
import { counterOf } from '../../storage/conformance/samples.ts';
import { Checking, HERE, outcomeOf, SECOND } from '../checking.ts';

const MOST = 195_000;
const keyOf = (index: number) => `older ${index}`;

/** A check whose store has so many older counters. Every tenth of them makes callers wait. */
async function crowded(counters: number): Promise<Checking> {
  const checking = new Checking({ throttleAfter: 1 });
  const before = checking.now - SECOND;
  await checking.store.write(async (unit) => {
    for (let index = 0; index < counters; index += 1) {
      const waitUntil = index % 10 === 0 ? checking.now + 60 * SECOND : 0;
      const counter = { failures: 1, since: before, lastFailureAt: before - counters + index, waitUntil };
      await unit.attempts.put(keyOf(index), undefined, counter);
    }
  });
  return checking;
}

/** The older counters that are left. */
function left(checking: Checking, counters: number): Promise<number[]> {
  return checking.store.read(async (unit) => {
    const found: number[] = [];
    for (let index = 0; index < counters; index += 1)
      if ((await counterOf(unit, keyOf(index))) !== undefined) found.push(index);
    return found;
  });
}

test('one process keeps at most 195,000 counters, and removes inactive counters first', async () => {
  const checking = await crowded(MOST);
  await checking.fail(1, 'ann');
  const kept = await left(checking, MOST);
  assert.ok(
    kept.length + 5 <= MOST - 5_000,
    `${kept.length} older counters and 5 new ones, before a thousand failures more`,
  );
  assert.equal(kept.filter((index) => index % 10 === 0).length, MOST / 10, 'all that make somebody wait');
  assert.ok(kept.includes(MOST - 1), 'the newest is there');
  assert.ok(!kept.includes(1), 'the oldest is gone');
  assert.equal((await checking.counters('ann', HERE)).pair?.failures, 1);
  assert.equal(outcomeOf(await checking.login('ann', 'wrong')), 'login_failed waiting 1');
});

test('counters are trimmed at the first failure, and after every thousand more', async () => {
  const store = new ChangedStore();
  let failures = 0;
  const trimmedAt: number[] = [];
  store.change = (unit) => {
    const trim = async () => void trimmedAt.push(failures);
    return { ...unit, attempts: { ...unit.attempts, trim } };
  };
  const checking = new Checking({ store });
  for (; failures < 2_001; failures += 1) await checking.fail(1, 'ann', `192.0.2.${failures % 3}`);
  assert.deepEqual(trimmedAt, [0, 1_000, 2_000]);
});
