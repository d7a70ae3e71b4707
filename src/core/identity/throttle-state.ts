import { createHmac } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { blockOf, SITE, SUBSCRIBER } from '../domain/address-block.ts';
import {
  addressRule,
  FAMILIAR_FOR,
  type LockOutReason,
  lockoutRule,
  longestWait,
  networkRule,
  pairRule,
  remainingWait,
  triesLeft,
  type WaitingRule,
} from '../domain/lockout.ts';
import type { RequestClient } from '../domain/request-origin.ts';
import { isLocked, isLockedByHand, isPossibleName } from '../domain/user.ts';
import { chain, type MaybePromise } from '../maybe-promise.ts';
import {
  COUNTERS,
  type CounterKey,
  type CounterKeys,
  type ReadUnit,
  type StoredThrottleState,
} from '../storage/store.ts';

/** One attempt to log in: the name, and the client it comes from. */
export interface Attempt extends RequestClient {
  /** As it was typed. */
  readonly name: string;
  /** In the form in which names are compared. */
  readonly key: string;
  readonly keys: CounterKeys;
  /** Whether the client sends name and password with each request, so that a cached credential needs no hash. */
  readonly repeated: boolean;
  /** Whether it is a sign-in on a page. */
  readonly onPage: boolean;
  /** Until when it may wait for others, as `performance.now()` counts. */
  readonly giveUpAt: number;
}

/** One rule for each counter of an attempt. */
export type Rules = Record<keyof CounterKeys, WaitingRule>;

/** What is known of an attempt before its password is checked. */
export interface ThrottleState extends StoredThrottleState {
  /** When the user last logged in from the address, if the address still counts as familiar. */
  readonly familiarSince: number | undefined;
  readonly now: number;
  /** As it came from the store. */
  readonly stored: StoredThrottleState;
}

/** How many attempts may be in flight at the same time under one key. */
export interface AttemptLimit {
  readonly key: string;
  readonly most: number;
}

/** After which share of the failures that lock a name out, the network of a subscriber or of a site waits for that name. */
const SHARE_OF_SUBSCRIBER = 1 / 4;
const SHARE_OF_SITE = 1 / 2;

/** The settings behind the rules. The duration is in milliseconds. */
type RuleSettings = Readonly<Record<'throttleAfter' | 'lockoutThreshold' | 'lockoutDuration', number>>;

/** Makes the rules from the settings. */
export function rulesFor({ throttleAfter, lockoutThreshold, lockoutDuration }: RuleSettings): Rules {
  return {
    name: lockoutRule(lockoutThreshold, lockoutDuration),
    pair: pairRule(throttleAfter),
    subscriber: networkRule(lockoutThreshold, SHARE_OF_SUBSCRIBER),
    site: networkRule(lockoutThreshold, SHARE_OF_SITE),
    address: addressRule,
  };
}

/**
 * Reads the throttle state of an attempt. Pass the `stored` part of an earlier state as `known`: the new state has the same
 * object where the store can tell that nothing changed. A name that no user can have is not looked up.
 */
export function readThrottleState(
  { attempts }: Pick<ReadUnit, 'attempts'>,
  { name, key, address, keys }: Pick<Attempt, 'name' | 'key' | 'address' | 'keys'>,
  now: number,
  state?: StoredThrottleState,
): MaybePromise<ThrottleState> {
  const userKey = isPossibleName(name) ? key : undefined;
  return chain(attempts.throttleState({ userKey, address, keys }, state), (stored) =>
    throttleStateAt(stored, now),
  );
}

function throttleStateAt(stored: StoredThrottleState, now: number): ThrottleState {
  const { user, counters, familiarSince: seen } = stored;
  // A login too long ago does not count. A date far in the future comes from a clock that was ahead.
  const familiarSince = seen !== undefined && Math.abs(now - seen) < FAMILIAR_FOR ? seen : undefined;
  return { user, counters, familiarSince, now, stored };
}

/** Whether failures lock the name out. A name that no user has can be locked out too. */
export function isLockedOut(state: ThrottleState, rules: Rules): boolean {
  const { counters, now } = state;
  return remainingLock(state, rules) > 0 || remainingWait(counters.name, now, rules.name) > 0;
}

/** Milliseconds until the user's lock-out by failures ends. 0 if there is none, or if the counter of the name covers it. */
function remainingLock({ user, counters, now }: ThrottleState, rules: Rules): number {
  if (user === undefined || user.lockedUntil === counters.name?.waitUntil) return 0;
  if (isLockedByHand(user) || !isLocked(user, now, longestWait(rules.name))) return 0;
  return user.lockedUntil - now;
}

/** A refusal without hashing: the reason, for the events, and the milliseconds to wait. */
export interface UnhashedRefusal {
  readonly reason: string;
  readonly wait: number;
}

/** Why an attempt is refused without hashing its password; undefined if it may go on. */
export function refusedUnhashed(
  state: ThrottleState,
  rules: Rules,
): (UnhashedRefusal & { readonly reason: LockOutReason }) | undefined {
  const { user, counters, familiarSince, now } = state;
  const waitOf = (which: keyof Rules) => remainingWait(counters[which], now, rules[which]);
  const pair = waitOf('pair');
  if (pair > 0) return { reason: 'waiting', wait: pair };
  // At a familiar address a user is not stopped by the failures of others, not even of others behind that address.
  if (familiarSince !== undefined) return undefined;
  const address = waitOf('address');
  if (address > 0) return { reason: 'address-waiting', wait: address };
  const counted = waitOf('name');
  if (isLockedByHand(user) && isLockedOut(state, rules)) return { reason: 'locked-by-hand', wait: counted };
  if (isLockedOut(state, rules))
    return { reason: 'locked', wait: Math.max(counted, remainingLock(state, rules)) };
  const network = Math.max(waitOf('subscriber'), waitOf('site'));
  return network > 0 ? { reason: 'network-waiting', wait: network } : undefined;
}

/**
 * The limits for this attempt to be in flight. From a familiar address only two of them apply, that of the name at the
 * address and that of the address, so that guesses from elsewhere do not delay it. If it passes a lock-out or a wait of its
 * address or network, it is the only one in flight there, because one failure ends the familiarity.
 */
export function limitsOf(state: ThrottleState, { keys }: Attempt, rules: Rules): AttemptLimit[] {
  const { counters, familiarSince, now } = state;
  const passes =
    familiarSince !== undefined && refusedUnhashed({ ...state, familiarSince: undefined }, rules);
  return COUNTERS.map((which) => {
    const most = triesLeft(counters[which], now, rules[which]);
    if (familiarSince === undefined || which === 'address') return { key: keys[which], most };
    if (which === 'pair') return { key: keys.pair, most: passes ? 1 : most };
    return { key: keys[which], most: Number.POSITIVE_INFINITY };
  });
}

/** Makes the keys of the counters of an attempt. */
export type KeysOf = (userKey: string, address: string) => CounterKeys;

/** Of how many addresses the blocks, as texts, and the key are remembered. */
const MOST_ADDRESSES = 1_000;

/**
 * Makes counter keys with this secret. They are HMACs, because a name that is no user's may be a password that was typed
 * into the wrong field.
 */
export function counterKeys(secret: Buffer): KeysOf {
  const hmac = (...parts: string[]) => createHmac('sha256', secret).update(parts.join('\0')).digest('hex');
  const addresses = new LRUCache<string, Pick<CounterKeys, 'subscriber' | 'site' | 'address'>>({
    max: MOST_ADDRESSES,
  });
  const partsOf = (address: string) => {
    const parts = {
      subscriber: blockOf(address, SUBSCRIBER),
      site: blockOf(address, SITE),
      address: hmac('address', address),
    };
    addresses.set(address, parts);
    return parts;
  };
  return (userKey, address) => {
    const parts = addresses.get(address) ?? partsOf(address);
    return {
      name: hmac('name', userKey),
      pair: hmac('pair', userKey, address),
      subscriber: hmac('subscriber', userKey, parts.subscriber),
      site: hmac('site', userKey, parts.site),
      address: parts.address,
    };
  };
}

/** Makes the key of the counter of a user's wrong codes with this secret. No counter of {@link counterKeys} has it. */
export function codeCounterKey(secret: Buffer, userKey: string): CounterKey {
  return createHmac('sha256', secret).update(`codes\0${userKey}`).digest('hex');
}

/** A number from 0 to below 1, always the same for a key. Nobody can predict it without the secret. */
export function shareOf(key: CounterKey): number {
  return Number.parseInt(key.slice(0, 12), 16) / 2 ** 48;
}

/** The counters that a success clears. The counter of the address over all names stays. */
export const CLEARED = ['name', 'pair', 'subscriber', 'site'] as const;
/** Milliseconds after which a login writes the date of a familiar address again. */
const FAMILIAR_FRESH = 24 * 60 * 60 * 1_000;

/** Whether a success changes anything in the store. Most do not. */
export function hasSuccessToRecord(
  { user, counters, familiarSince, now }: ThrottleState,
  renewedHash: string | undefined,
): boolean {
  if (renewedHash !== undefined || CLEARED.some((which) => counters[which] !== undefined)) return true;
  if (user !== undefined && user.lockedUntil > now) return true;
  return familiarSince === undefined || Math.abs(now - familiarSince) > FAMILIAR_FRESH;
}
