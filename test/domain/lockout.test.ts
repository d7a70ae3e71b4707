import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  ADDRESS_FAILURES,
  addressRule,
  afterFailure,
  type Counter,
  keptUntil,
  lockoutRule,
  pairRule,
  remainingWait,
  triesLeft,
  type WaitingRule,
} from '../../src/domain/lockout.ts';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const START = Date.UTC(2030, 0, 1);

/** The counter after failures at these instants. */
function failedAt(instants: readonly number[], rule: WaitingRule): Counter | undefined {
  return instants.reduce<Counter | undefined>((counter, now) => afterFailure(counter, now, rule), undefined);
}

/** The counter after `times` failures, each as soon as the wait before it is over. */
function failedPatiently(
  times: number,
  rule: WaitingRule,
): { counter: Counter; waits: number[]; now: number } {
  let counter: Counter | undefined;
  let now = START;
  const waits: number[] = [];
  for (let time = 0; time < times; time += 1) {
    counter = afterFailure(counter, now, rule);
    waits.push(remainingWait(counter, now, rule));
    now = Math.max(now, counter.waitUntil);
  }
  return { counter: counter as Counter, waits, now };
}

test('a pair waits from its threshold on: a second, doubling to 15 minutes and no longer', () => {
  const { waits } = failedPatiently(18, pairRule(5));
  const doubling = [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 900, 900, 900, 900];
  assert.deepEqual(waits, [0, 0, 0, 0, ...doubling.map((seconds) => seconds * SECOND)]);
});

test('a wait ends to the millisecond, and any number of failures is counted', () => {
  const rule = pairRule(1);
  const counter = afterFailure(undefined, START, rule);
  assert.equal(remainingWait(counter, START + 999, rule), 1);
  assert.equal(remainingWait(counter, START + 1_000, rule), 0);
  const many = afterFailure({ ...counter, failures: 100_000 }, START + 2_000, rule);
  assert.equal(remainingWait(many, START + 2_000, rule), 15 * MINUTE);
});

test('a count of a pair or a name is forgotten 24 hours after its last failure', () => {
  for (const rule of [pairRule(5), lockoutRule(5, 15 * MINUTE)]) {
    const counter = failedAt([START, START + HOUR, START + DAY], rule);
    assert.equal(counter?.failures, 3);
    assert.equal(afterFailure(counter, START + 2 * DAY - 1, rule).failures, 4);
    assert.equal(afterFailure(counter, START + 2 * DAY, rule).failures, 1);
    assert.equal(afterFailure(counter, START + 2 * DAY, rule).since, START + 2 * DAY);
  }
});

test('a lock-out lasts its duration, and its end sets the count to 0', () => {
  const rule = lockoutRule(3, 15 * MINUTE);
  const locked = failedAt([START, START, START], rule);
  assert.equal(remainingWait(locked, START, rule), 15 * MINUTE);
  assert.equal(remainingWait(locked, START + 15 * MINUTE - 1, rule), 1);
  assert.equal(remainingWait(locked, START + 15 * MINUTE, rule), 0);
  const next = afterFailure(locked, START + 15 * MINUTE, rule);
  assert.deepEqual([next.failures, next.waitUntil], [1, 0]);
});

test('a failure during a lock or a wait does not lengthen it', () => {
  for (const rule of [lockoutRule(1, 15 * MINUTE), pairRule(1), { ...addressRule, threshold: 1 }]) {
    const locked = afterFailure(undefined, START, rule);
    const again = afterFailure(locked, START + 500, rule);
    assert.equal(again.waitUntil, locked.waitUntil);
    assert.equal(again.failures, 2);
  }
});

test('a lock-out that is longer than a day is not forgotten before it ends', () => {
  const rule = lockoutRule(1, 3 * DAY);
  const locked = afterFailure(undefined, START, rule);
  assert.equal(remainingWait(locked, START + 2 * DAY, rule), DAY);
  assert.equal(remainingWait(locked, START + 3 * DAY, rule), 0);
});

test('a threshold of 0 makes nobody wait, whatever was counted', () => {
  for (const rule of [pairRule(0), lockoutRule(0, 15 * MINUTE)]) {
    const counter = failedAt(Array(500).fill(START), rule);
    assert.equal(counter?.waitUntil, 0);
    assert.equal(remainingWait(counter, START, rule), 0);
    assert.equal(triesLeft(counter, START, rule), Number.POSITIVE_INFINITY);
    const older = { failures: 9, since: START, lastFailureAt: START, waitUntil: START + HOUR };
    assert.equal(remainingWait(older, START, rule), 0);
  }
});

test('an address waits after 1,000 failures within an hour, like a pair', () => {
  assert.equal(ADDRESS_FAILURES, 1_000);
  const spread = Array.from({ length: 1_003 }, (_, index) => START + index * 2_000);
  const until = (times: number) => failedAt(spread.slice(0, times), addressRule)?.waitUntil;
  assert.equal(until(999), 0);
  assert.equal(until(1_000), START + 999 * 2_000 + SECOND);
  assert.equal(until(1_001), START + 1_000 * 2_000 + 2 * SECOND);
});

test('the budget of an address starts anew an hour after its first failure', () => {
  const full = failedAt(Array(999).fill(START), addressRule);
  assert.equal(afterFailure(full, START + HOUR - 1, addressRule).failures, 1_000);
  const anew = afterFailure(full, START + HOUR, addressRule);
  assert.deepEqual([anew.failures, anew.since, anew.waitUntil], [1, START + HOUR, 0]);
});

test('an address that waits beyond its hour waits to the end', () => {
  const counter = {
    failures: 1_020,
    since: START,
    lastFailureAt: START + HOUR - 1,
    waitUntil: START + HOUR + MINUTE,
  };
  assert.equal(remainingWait(counter, START + HOUR, addressRule), MINUTE);
  assert.equal(remainingWait(counter, START + HOUR + MINUTE, addressRule), 0);
  assert.equal(afterFailure(counter, START + HOUR + MINUTE, addressRule).failures, 1);
});

test('as many tries may be under way as there are failures left, and always one', () => {
  const rule = pairRule(5);
  assert.equal(triesLeft(undefined, START, rule), 5);
  assert.equal(triesLeft(failedAt([START, START], rule), START, rule), 3);
  assert.equal(triesLeft(failedAt(Array(5).fill(START), rule), START + HOUR, rule), 1);
  assert.equal(triesLeft(failedAt(Array(9).fill(START), rule), START + HOUR, rule), 1);
  assert.equal(triesLeft(failedAt(Array(9).fill(START), rule), START + DAY, rule), 5);
});

test('a counter is kept for a day after the last rule has forgotten it', () => {
  const lastToForget = (rule: WaitingRule, times: number) => {
    const counter = failedAt(Array(times).fill(START), rule) as Counter;
    const forgottenAt = keptUntil(counter) - DAY;
    assert.equal(rule.isForgotten(counter, forgottenAt), true);
    return !rule.isForgotten(counter, forgottenAt - 1);
  };
  const lockout = lockoutRule(5, 7 * DAY);
  for (const times of [1, 9]) assert.equal(lastToForget(pairRule(5), times), true);
  for (const times of [1, 5]) assert.equal(lastToForget(lockout, times), true);
  for (const times of [1, 1_001]) assert.equal(lastToForget(addressRule, times), false);
});
