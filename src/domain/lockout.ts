/** Consecutive failures under one key: a name with an address, a name, or an address. Times are epoch milliseconds. */
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

/** The lock-out of one name from anywhere (NIST SP 800-63B-4, 3.2.2): the end of a lock sets the count to 0. */
export function lockoutRule(threshold: number, duration: number): WaitingRule {
  return {
    threshold,
    wait: () => duration,
    isForgotten: (counter, now) =>
      counter.waitUntil > 0 ? counter.waitUntil <= now : now - counter.lastFailureAt >= DAY,
  };
}

/**
 * Until when a store that forgets by itself has to keep the counter: every rule has forgotten it by then, a day ago or
 * longer. The day is for clocks that differ.
 */
export function keptUntil({ lastFailureAt, waitUntil }: Counter): number {
  return Math.max(lastFailureAt + DAY, waitUntil) + DAY;
}

/** Milliseconds until tries under this counter are let through again; 0 when they are. */
export function remainingWait(counter: Counter | undefined, now: number, rule: WaitingRule): number {
  if (rule.threshold === 0 || counter === undefined || rule.isForgotten(counter, now)) return 0;
  return Math.max(0, counter.waitUntil - now);
}

/** How many more tries may be under way at once before one of them could slip past the threshold. */
export function triesLeft(counter: Counter | undefined, now: number, rule: WaitingRule): number {
  if (rule.threshold === 0) return Number.POSITIVE_INFINITY;
  const failures = counter === undefined || rule.isForgotten(counter, now) ? 0 : counter.failures;
  return Math.max(1, rule.threshold - failures);
}

/** The counter after one more failure at `now`. A failure while a lock holds does not lengthen it. */
export function afterFailure(counter: Counter | undefined, now: number, rule: WaitingRule): Counter {
  const old = counter === undefined || rule.isForgotten(counter, now) ? undefined : counter;
  const failures = (old?.failures ?? 0) + 1;
  const since = old?.since ?? now;
  if (old !== undefined && old.waitUntil > now)
    return { failures, since, lastFailureAt: now, waitUntil: old.waitUntil };
  const beyond = failures - rule.threshold;
  const waitUntil = rule.threshold > 0 && beyond >= 0 ? now + rule.wait(beyond) : 0;
  return { failures, since, lastFailureAt: now, waitUntil };
}
