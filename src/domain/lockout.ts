/** Consecutive failures under one key: a name, a name at an address or in a network, or an address. Times are epoch milliseconds. */
export interface Counter {
  readonly failures: number;
  /** The first failure of this count. */
  readonly since: number;
  readonly lastFailureAt: number;
  /** Until when tries under this key are refused unhashed; 0 when they are not. */
  readonly waitUntil: number;
}

/** How one kind of counter makes callers wait. */
export interface WaitingRule {
  /** The failure from which on callers wait; 0 turns the rule off. */
  readonly threshold: number;
  /** The wait in milliseconds that the `nth` failure at or beyond the threshold (from 0) brings. */
  readonly wait: (nth: number) => number;
  /** Whether the count no longer holds at `now`. */
  readonly isForgotten: (counter: Counter, now: number) => boolean;
}

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const WEEK = 7 * DAY;

/** How long an address that logged a user in stays familiar to that user's lock-out. */
export const FAMILIAR_FOR = 30 * DAY;
/** Failures that one address may have in an hour, over all names together. */
export const ADDRESS_FAILURES = 1_000;

/** The longest wait that a throttle brings. */
export const LONGEST_WAIT = 15 * MINUTE;

const doubling = (nth: number) => Math.min(SECOND * 2 ** nth, LONGEST_WAIT);

/** The throttle of one name from one address: 1 s at the threshold, doubling to 15 min, forgotten after a day. */
export function pairRule(threshold: number): WaitingRule {
  return {
    threshold,
    wait: doubling,
    isForgotten: (counter, now) => now - counter.lastFailureAt >= DAY,
  };
}

/** The throttle of one address over all names: {@link ADDRESS_FAILURES} an hour, then it waits like a pair. */
export const addressRule: WaitingRule = {
  threshold: ADDRESS_FAILURES,
  wait: doubling,
  isForgotten: (counter, now) => now - counter.since >= HOUR && counter.waitUntil <= now,
};

/** The longest wait that the rule ever brings. */
export function longestWait(rule: WaitingRule): number {
  return rule.wait(Number.POSITIVE_INFINITY);
}

/** The longest lock-out where the first one lasts `duration`. */
export function longestLock(duration: number): number {
  return Math.max(duration, DAY);
}

const isOldAfter =
  (age: number) =>
  ({ lastFailureAt, waitUntil }: Counter, now: number) =>
    now - Math.max(lastFailureAt, waitUntil) >= age;

/**
 * The lock-out of one name from anywhere (NIST SP 800-63B-4, 3.2.2): from the threshold on each failure locks the name
 * out, first for `duration`, then for twice as long each time, up to a day. It is forgotten after a week without a
 * failure or a lock.
 */
export function lockoutRule(threshold: number, duration: number): WaitingRule {
  return {
    threshold,
    wait: (nth) => Math.min(duration * 2 ** nth, longestLock(duration)),
    isForgotten: isOldAfter(WEEK),
  };
}

/** Lock-outs of fewer failures than this leave no room for shares of networks. */
const LEAST_SHARED = 20;
/** How often the wait of a network doubles: from 42 s to a day. */
const DOUBLINGS = 11;

/**
 * The throttle of one name in one network, so that the network alone cannot lock the name out: it waits from this share of
 * the lock-out's threshold on, and its waits grow to a day before it could reach the threshold.
 */
export function networkRule(lockoutThreshold: number, share: number): WaitingRule {
  const threshold = lockoutThreshold < LEAST_SHARED ? 0 : Math.floor(lockoutThreshold * share);
  const doublings = Math.min(DOUBLINGS, lockoutThreshold - threshold - 1);
  return {
    threshold,
    wait: (nth) => DAY / 2 ** Math.max(0, doublings - nth),
    isForgotten: isOldAfter(WEEK),
  };
}

/**
 * Until when a store that forgets by itself has to keep the counter: every rule has forgotten it by then, a day ago or
 * longer. The day is for clocks that differ.
 */
export function keptUntil({ lastFailureAt, waitUntil }: Counter): number {
  return Math.max(lastFailureAt, waitUntil) + WEEK + DAY;
}

/** By how much clocks of instances may differ: a wait that ends later than that was set while a clock was ahead. */
const CLOCK_SKEW = 10 * SECOND;

/**
 * The counter as it holds at `now`; nothing once it is forgotten. A clock that was ahead left times in the future: its
 * failures count, as of now, and its wait has ended when it is longer than these failures bring.
 */
function current(counter: Counter | undefined, now: number, rule: WaitingRule): Counter | undefined {
  if (counter === undefined) return undefined;
  const { failures, since, lastFailureAt, waitUntil } = counter;
  const latest = now + rule.wait(Math.max(0, failures - rule.threshold));
  const held = {
    failures,
    since: Math.min(since, now),
    lastFailureAt: Math.min(lastFailureAt, now),
    waitUntil: waitUntil > latest + CLOCK_SKEW ? 0 : Math.min(waitUntil, latest),
  };
  return rule.isForgotten(held, now) ? undefined : held;
}

/** Milliseconds until tries under this counter are let through again; 0 when they are. */
export function remainingWait(counter: Counter | undefined, now: number, rule: WaitingRule): number {
  if (rule.threshold === 0) return 0;
  return Math.max(0, (current(counter, now, rule)?.waitUntil ?? 0) - now);
}

/** How many more tries may be under way at once before one of them could slip past the threshold. */
export function triesLeft(counter: Counter | undefined, now: number, rule: WaitingRule): number {
  if (rule.threshold === 0) return Number.POSITIVE_INFINITY;
  return Math.max(1, rule.threshold - (current(counter, now, rule)?.failures ?? 0));
}

/**
 * The counter after one more failure at `now`. A failure while a wait holds, of a try that was under way already or of one
 * that passes the wait, neither lengthens the wait nor counts toward the next one.
 */
export function afterFailure(counter: Counter | undefined, now: number, rule: WaitingRule): Counter {
  const old = current(counter, now, rule);
  if (old !== undefined && old.waitUntil > now) return { ...old, lastFailureAt: now };
  const failures = (old?.failures ?? 0) + 1;
  const beyond = failures - rule.threshold;
  const waitUntil = rule.threshold > 0 && beyond >= 0 ? now + rule.wait(beyond) : 0;
  return { failures, since: old?.since ?? now, lastFailureAt: now, waitUntil };
}
