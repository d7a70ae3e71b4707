import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  ADDRESS_FAILURES,
  addressRule,
  afterFailure,
  type Counter,
  codeRule,
  FAMILIAR_FOR,
  keptUntil,
  lockoutRule,
  longestWait,
  MOST_WRONG_CODES,
  networkRule,
  pairRule,
  remainingWait,
  triesLeft,
  type WaitingRule,
} from '../../../src/core/domain/lockout.ts';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const START = Date.UTC(2030, 0, 1);

/** The counter after failures at these times. */
function failedAt(instants: readonly number[], rule: WaitingRule): Counter | undefined {
  return instants.reduce<Counter | undefined>((counter, now) => afterFailure(counter, now, rule), undefined);
}

/** The counter after `times` failures, each right after the wait before it. */
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

test('a name at an address waits from its threshold on: a second, doubling to 15 minutes and no longer', () => {
  const { waits } = failedPatiently(18, pairRule(5));
  const doubling = [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 900, 900, 900, 900];
  assert.deepEqual(waits, [0, 0, 0, 0, ...doubling.map((seconds) => seconds * SECOND)]);
});

test('a wait ends to the millisecond, and the number of failures has no limit', () => {
  const rule = pairRule(1);
  const counter = afterFailure(undefined, START, rule);
  assert.equal(remainingWait(counter, START + 999, rule), 1);
  assert.equal(remainingWait(counter, START + 1_000, rule), 0);
  const many = afterFailure({ ...counter, failures: 100_000 }, START + 2_000, rule);
  assert.equal(remainingWait(many, START + 2_000, rule), 15 * MINUTE);
});

test('a count of a name at an address is forgotten a day after its last failure, that of a name or a network after a week', () => {
  for (const [age, rule] of [
    [DAY, pairRule(5)],
    [7 * DAY, lockoutRule(5, 15 * MINUTE)],
    [7 * DAY, networkRule(100, 1 / 4)],
  ] as const) {
    const counter = failedAt([START, START + HOUR, START + DAY - 1], rule);
    assert.equal(counter?.failures, 3);
    const end = START + DAY - 1 + age;
    assert.equal(afterFailure(counter, end - 1, rule).failures, 4);
    assert.equal(afterFailure(counter, end, rule).failures, 1);
    assert.equal(afterFailure(counter, end, rule).since, end);
  }
});

test('a name is locked out at the threshold, then again at each failure, for twice as long up to a day', () => {
  const { waits } = failedPatiently(13, lockoutRule(3, 15 * MINUTE));
  const locks = [1, 2, 4, 8, 16, 32, 64, 96, 96, 96, 96].map((quarters) => quarters * 15 * MINUTE);
  assert.deepEqual(waits, [0, 0, ...locks]);
});

test('a lock-out ends to the millisecond, and a duration above a day stays as it is', () => {
  for (const duration of [15 * MINUTE, 3 * DAY]) {
    const rule = lockoutRule(1, duration);
    const locked = afterFailure(undefined, START, rule);
    assert.equal(remainingWait(locked, START + duration - 1, rule), 1);
    assert.equal(remainingWait(locked, START + duration, rule), 0);
    const again = afterFailure(locked, START + duration, rule);
    assert.equal(remainingWait(again, START + duration, rule), Math.min(2 * duration, 3 * DAY));
  }
});

test('a lock-out is forgotten a week after it has ended', () => {
  const rule = lockoutRule(1, 15 * MINUTE);
  const locked = afterFailure(undefined, START, rule);
  assert.equal(afterFailure(locked, START + 15 * MINUTE + 7 * DAY - 1, rule).failures, 2);
  assert.equal(afterFailure(locked, START + 15 * MINUTE + 7 * DAY, rule).failures, 1);
});

test('a network that fails as often as it can does not lock a name out within a month', () => {
  for (const threshold of [20, 21, 40, 100, 1_000]) {
    for (const share of [1 / 4, 1 / 2]) {
      const network = networkRule(threshold, share);
      const name = lockoutRule(threshold, 15 * MINUTE);
      let counters: { network?: Counter; name?: Counter } = {};
      let now = START;
      const failuresWithin = (end: number) => {
        while (now < end) {
          counters = {
            network: afterFailure(counters.network, now, network),
            name: afterFailure(counters.name, now, name),
          };
          now = Math.max(now + SECOND, counters.network?.waitUntil ?? 0);
        }
        return counters.name?.failures ?? 0;
      };
      const shown = `${threshold} ${share}`;
      assert.ok(failuresWithin(START + DAY) < threshold, shown);
      assert.ok(counters.name?.waitUntil === 0, shown);
      if (threshold >= 100) assert.ok(failuresWithin(START + 30 * DAY) < threshold, shown);
    }
  }
});

test('a network waits from its share on, whole milliseconds: first 42 seconds, finally a day', () => {
  const { waits } = failedPatiently(40, networkRule(100, 1 / 4));
  assert.deepEqual(waits.slice(0, 24), Array(24).fill(0));
  for (let nth = 0; nth < 12; nth += 1) assert.equal(waits[24 + nth], Math.ceil(DAY / 2 ** (11 - nth)));
  assert.deepEqual(waits.slice(35), Array(5).fill(DAY));
});

test('with a threshold below 20, or without a lock-out, networks do not wait', () => {
  for (const threshold of [0, 1, 19]) {
    const counter = failedAt(Array(50).fill(START), networkRule(threshold, 1 / 2));
    assert.equal(counter?.waitUntil, 0);
  }
});

test('a failure during a lock or a wait neither lengthens it nor counts toward the next', () => {
  for (const rule of [lockoutRule(1, 15 * MINUTE), pairRule(1), { ...addressRule, threshold: 1 }]) {
    const locked = afterFailure(undefined, START, rule);
    const again = afterFailure(locked, START + 500, rule);
    assert.deepEqual(again, { ...locked, lastFailureAt: START + 500 });
  }
});

test('a lock-out that is longer than a day is not forgotten before it ends', () => {
  const rule = lockoutRule(1, 3 * DAY);
  const locked = afterFailure(undefined, START, rule);
  assert.equal(remainingWait(locked, START + 2 * DAY, rule), DAY);
  assert.equal(remainingWait(locked, START + 3 * DAY, rule), 0);
});

test('with a threshold of 0 nobody waits, whatever the count', () => {
  for (const rule of [pairRule(0), lockoutRule(0, 15 * MINUTE)]) {
    const counter = failedAt(Array(500).fill(START), rule);
    assert.equal(counter?.waitUntil, 0);
    assert.equal(remainingWait(counter, START, rule), 0);
    assert.equal(triesLeft(counter, START, rule), Number.POSITIVE_INFINITY);
    const older = { failures: 9, since: START, lastFailureAt: START, waitUntil: START + HOUR };
    assert.equal(remainingWait(older, START, rule), 0);
  }
});

test('an address waits after 1,000 failures within an hour', () => {
  assert.equal(ADDRESS_FAILURES, 1_000);
  const spread = Array.from({ length: 1_003 }, (_, index) => START + index * 2_000);
  const until = (times: number) => failedAt(spread.slice(0, times), addressRule)?.waitUntil;
  assert.equal(until(999), 0);
  assert.equal(until(1_000), START + 999 * 2_000 + SECOND);
  assert.equal(until(1_001), START + 1_000 * 2_000 + 2 * SECOND);
});

test('the count of an address starts again an hour after its first failure', () => {
  const full = failedAt(Array(999).fill(START), addressRule);
  assert.equal(afterFailure(full, START + HOUR - 1, addressRule).failures, 1_000);
  const anew = afterFailure(full, START + HOUR, addressRule);
  assert.deepEqual([anew.failures, anew.since, anew.waitUntil], [1, START + HOUR, 0]);
});

test('a wait of an address goes on after its hour', () => {
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

test('as many attempts may be in flight as failures are left, and always one', () => {
  const rule = pairRule(5);
  assert.equal(triesLeft(undefined, START, rule), 5);
  assert.equal(triesLeft(failedAt([START, START], rule), START, rule), 3);
  assert.equal(triesLeft(failedAt(Array(5).fill(START), rule), START + HOUR, rule), 1);
  assert.equal(triesLeft(failedAt(Array(9).fill(START), rule), START + HOUR, rule), 1);
  assert.equal(triesLeft(failedAt(Array(9).fill(START), rule), START + DAY, rule), 5);
});

test('a counter is stored for a day after the last rule has forgotten it', () => {
  const lastToForget = (rule: WaitingRule, times: number) => {
    const counter = failedAt(Array(times).fill(START), rule) as Counter;
    const forgottenAt = keptUntil(counter) - DAY;
    assert.equal(rule.isForgotten(counter, forgottenAt), true);
    return !rule.isForgotten(counter, forgottenAt - 1);
  };
  for (const times of [1, 9]) assert.equal(lastToForget(pairRule(5), times), false);
  for (const times of [1, 5]) assert.equal(lastToForget(lockoutRule(5, 7 * DAY), times), true);
  for (const times of [1, 50]) assert.equal(lastToForget(networkRule(100, 1 / 4), times), true);
  for (const times of [1, 1_001]) assert.equal(lastToForget(addressRule, times), false);
});

test('whatever the clock did, no wait is longer than its failures cause, and no wait starts again', () => {
  const rules = {
    pair: [pairRule(5), 5, SECOND],
    network: [networkRule(100, 1 / 4), 25, Math.ceil(DAY / 2_048)],
    lock: [lockoutRule(3, 15 * MINUTE), 3, 15 * MINUTE],
    address: [{ ...addressRule, threshold: 3 }, 3, SECOND],
  } as const;
  for (const [which, [rule, times, wait]] of Object.entries(rules)) {
    for (const ahead of [1, 5 * SECOND, MINUTE, HOUR, DAY, 400 * DAY]) {
      const counter = failedAt(Array(times).fill(START + ahead), rule);
      const shown = `${which}, ${ahead} ms ahead`;
      assert.ok(remainingWait(counter, START, rule) <= wait, shown);
      const end = START + wait + 10 * SECOND;
      if (ahead > wait + 20 * SECOND) assert.equal(remainingWait(counter, end, rule), 0, shown);
      if (ahead > 10 * SECOND) assert.equal(remainingWait(counter, START, rule), 0, shown);
      assert.equal(triesLeft(counter, START, rule), 1, shown);
      const next = afterFailure(counter, START, rule);
      assert.ok(next.waitUntil <= START + 2 * wait, shown);
      assert.ok(next.since <= START && next.lastFailureAt === START, shown);
      if (ahead > 10 * SECOND) assert.equal(next.failures, times + 1, shown);
    }
  }
});

test('with clocks that differ a little, a wait is as long as it should be', () => {
  const counter = failedAt(Array(5).fill(START + 10 * SECOND), pairRule(5));
  assert.equal(remainingWait(counter, START, pairRule(5)), SECOND);
});

const CENTURY = 100 * 365 * DAY;

test('codes wait from the tenth wrong one on: a second, doubling to a day, and from the hundredth on for ever', () => {
  const { counter, waits, now } = failedPatiently(MOST_WRONG_CODES - 1, codeRule);
  assert.deepEqual(waits.slice(8, 12), [0, SECOND, 2 * SECOND, 4 * SECOND]);
  assert.deepEqual([Math.max(...waits), waits.at(-1)], [DAY, DAY]);
  const last = afterFailure(counter, now, codeRule);
  assert.equal(remainingWait(last, now, codeRule), CENTURY);
  assert.equal(longestWait(codeRule), CENTURY);
});

test('wrong codes are forgotten a week after the last one or its wait, but not a hundred of them', () => {
  const { counter, now } = failedPatiently(11, codeRule);
  assert.equal(now, counter.waitUntil);
  assert.equal(afterFailure(counter, now + 7 * DAY - 1, codeRule).failures, 12);
  assert.equal(afterFailure(counter, now + 7 * DAY, codeRule).failures, 1);
  const hundred = { ...counter, failures: MOST_WRONG_CODES };
  assert.equal(afterFailure(hundred, now + 7 * DAY, codeRule).failures, MOST_WRONG_CODES + 1);
});

test('a counter tells since when it counts, and an address is familiar for 30 days', () => {
  assert.equal(failedAt([START, START + HOUR], pairRule(5))?.since, START);
  assert.equal(FAMILIAR_FOR, 30 * DAY);
});
