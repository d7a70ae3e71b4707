/**
 * Counts consecutive failures under one key: a name, a name at an address or in a network, or an address. Times are epoch
 * milliseconds.
 */
export interface Counter {
  readonly failures: number;
  /** When the first of these failures happened. */
  readonly since: number;
  readonly lastFailureAt: number;
  /** Until when attempts under this key are refused without hashing; 0 if they are not. */
  readonly waitUntil: number;
}

/** How one kind of counter makes callers wait. */
export interface WaitingRule {
  /** The number of failures from which on callers wait; 0 turns the rule off. */
  readonly threshold: number;
  /** The wait in milliseconds after the `nth` failure, counted from 0 at the threshold. */
  readonly wait: (nth: number) => number;
  /** Whether the failures no longer count at `now`. */
  readonly isForgotten: (counter: Counter, now: number) => boolean;
}

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const WEEK = 7 * DAY;

/** Milliseconds that an address stays familiar after the user logged in from it. */
export const FAMILIAR_FOR = 30 * DAY;
/** How many failures one address may have in an hour, over all names. */
export const ADDRESS_FAILURES = 1_000;

/** The longest wait of a throttle. */
export const LONGEST_WAIT = 15 * MINUTE;

const doubling = (nth: number) => Math.min(SECOND * 2 ** nth, LONGEST_WAIT);

/** The throttle of one name at one address: 1 s at the threshold, doubling to 15 min, forgotten after a day. */
export function pairRule(threshold: number): WaitingRule {
  return {
    threshold,
    wait: doubling,
    isForgotten: (counter, now) => now - counter.lastFailureAt >= DAY,
  };
}

/** The throttle of one address over all names: after {@link ADDRESS_FAILURES} in an hour it waits like a name at an address. */
export const addressRule: WaitingRule = {
  threshold: ADDRESS_FAILURES,
  wait: doubling,
  isForgotten: (counter, now) => now - counter.since >= HOUR && counter.waitUntil <= now,
};

/** How many codes of an authenticator app may be wrong in a row (NIST SP 800-63B-4, 3.2.2). */
export const MOST_WRONG_CODES = 100;
/** A wait without an end: it lasts until an administrator unlocks the user, or the user signs in with another factor. */
const FOR_EVER = 100 * 365 * DAY;
const FREE_CODES = 10;

/**
 * The throttle of the codes of one user at all addresses: 1 s at the tenth wrong one, doubling to a day, and without an end at
 * {@link MOST_WRONG_CODES}. Before that it is forgotten after a week without a wrong code or a wait.
 */
export const codeRule: WaitingRule = {
  threshold: FREE_CODES,
  wait: (nth) => (nth >= MOST_WRONG_CODES - FREE_CODES ? FOR_EVER : Math.min(SECOND * 2 ** nth, DAY)),
  isForgotten: (counter, now) =>
    counter.failures < MOST_WRONG_CODES && now - Math.max(counter.lastFailureAt, counter.waitUntil) >= WEEK,
};

/** The longest wait under this rule. */
export function longestWait(rule: WaitingRule): number {
  return rule.wait(Number.POSITIVE_INFINITY);
}

/** The longest lock-out, if the first one lasts `duration`. */
export function longestLock(duration: number): number {
  return Math.max(duration, DAY);
}

const isOldAfter =
  (age: number) =>
  ({ lastFailureAt, waitUntil }: Counter, now: number) =>
    now - Math.max(lastFailureAt, waitUntil) >= age;

/**
 * The lock-out of one name at all addresses (NIST SP 800-63B-4, 3.2.2). From the threshold on each failure locks the name
 * out: first for `duration`, then for twice as long each time, up to a day. Forgotten after a week without a failure or a
 * lock.
 */
export function lockoutRule(threshold: number, duration: number): WaitingRule {
  return {
    threshold,
    wait: (nth) => Math.min(duration * 2 ** nth, longestLock(duration)),
    isForgotten: isOldAfter(WEEK),
  };
}

/** With a lower threshold of the lock-out, networks have no rule: a share of it would be too small. */
const LEAST_SHARED = 20;
/** How many times the wait of a network doubles: from 42 s to a day. */
const DOUBLINGS = 11;

/**
 * The throttle of one name in one network, so that one network cannot lock the name out. It waits from `share` of the
 * lock-out's threshold on, and its waits grow to a day before it reaches the threshold.
 */
export function networkRule(lockoutThreshold: number, share: number): WaitingRule {
  const threshold = lockoutThreshold < LEAST_SHARED ? 0 : Math.floor(lockoutThreshold * share);
  const doublings = Math.min(DOUBLINGS, lockoutThreshold - threshold - 1);
  return {
    threshold,
    // Engines keep whole milliseconds.
    wait: (nth) => Math.ceil(DAY / 2 ** Math.max(0, doublings - nth)),
    isForgotten: isOldAfter(WEEK),
  };
}

/**
 * When a store that deletes by itself may delete the counter: at least a day after every rule has forgotten it. The day
 * allows for clocks that differ.
 */
export function keptUntil({ lastFailureAt, waitUntil }: Counter): number {
  return Math.max(lastFailureAt, waitUntil) + WEEK + DAY;
}

/** How much the clocks of instances may differ. A wait beyond that was set while a clock was ahead. */
const CLOCK_SKEW = 10 * SECOND;

/**
 * The counter as it counts at `now`; undefined once it is forgotten. Times in the future come from a clock that was ahead:
 * such failures count as failures of now, and a wait that is too long for the number of failures has ended.
 */
function current(counter: Counter | undefined, now: number, rule: WaitingRule): Counter | undefined {
  if (counter === undefined) return undefined;
  const { failures, since, lastFailureAt, waitUntil } = counter;
  const latest = now + rule.wait(Math.max(0, failures - rule.threshold));
  const state = {
    failures,
    since: Math.min(since, now),
    lastFailureAt: Math.min(lastFailureAt, now),
    waitUntil: waitUntil > latest + CLOCK_SKEW ? 0 : Math.min(waitUntil, latest),
  };
  return rule.isForgotten(state, now) ? undefined : state;
}

/** Milliseconds until attempts under this counter are let through again; 0 if they already are. */
export function remainingWait(counter: Counter | undefined, now: number, rule: WaitingRule): number {
  if (rule.threshold === 0) return 0;
  return Math.max(0, (current(counter, now, rule)?.waitUntil ?? 0) - now);
}

/** How many attempts may be in flight at once so that none of them can exceed the threshold. */
export function triesLeft(counter: Counter | undefined, now: number, rule: WaitingRule): number {
  if (rule.threshold === 0) return Number.POSITIVE_INFINITY;
  return Math.max(1, rule.threshold - (current(counter, now, rule)?.failures ?? 0));
}

/**
 * The counter after one more failure at `now`. A failure during a wait neither lengthens the wait nor counts toward the next
 * one: its attempt was in flight before, or passes the wait.
 */
export function afterFailure(counter: Counter | undefined, now: number, rule: WaitingRule): Counter {
  const old = current(counter, now, rule);
  if (old !== undefined && old.waitUntil > now) return { ...old, lastFailureAt: now };
  const failures = (old?.failures ?? 0) + 1;
  const beyond = failures - rule.threshold;
  const waitUntil = rule.threshold > 0 && beyond >= 0 ? now + rule.wait(beyond) : 0;
  return { failures, since: old?.since ?? now, lastFailureAt: now, waitUntil };
}

/** Why a login is refused before its password is looked at. */
export type LockOutReason = 'locked' | 'locked-by-hand' | 'waiting' | 'network-waiting' | 'address-waiting';

/** A wait or a lock-out that holds now, as administrators see it. Times are epoch milliseconds. */
export interface LockOut {
  /** The name of the user; undefined where an address waits, whatever name it tries. */
  readonly user?: string | undefined;
  /** The address whose logins are refused; undefined if all addresses but familiar ones are refused. */
  readonly address?: string | undefined;
  readonly reason: LockOutReason;
  /** Consecutive failures that count. */
  readonly failures: number;
  /** The time of the first of them, or of a lock by hand; undefined if no event tells it any more. */
  readonly since: number | undefined;
  /** The end; undefined for a lock by hand, which lasts until it is lifted. */
  readonly until: number | undefined;
}
