import { createHmac } from 'node:crypto';
import { blockOf, SITE, SUBSCRIBER } from '../domain/address-block.ts';
import {
  addressRule,
  FAMILIAR_FOR,
  lockoutRule,
  longestWait,
  networkRule,
  pairRule,
  remainingWait,
  triesLeft,
  type WaitingRule,
} from '../domain/lockout.ts';
import { isLocked, isLockedByHand, isPossibleName } from '../domain/user.ts';
import { chain, type MaybePromise } from '../maybe-promise.ts';
import {
  COUNTERS,
  type CounterKey,
  type CounterKeys,
  type ReadUnit,
  type StoredThrottleState,
} from '../storage/store.ts';

/** One try: who is named, and from where. */
export interface Attempt {
  readonly name: string;
  readonly key: string;
  readonly address: string;
  readonly keys: CounterKeys;
  /** Whether the pair comes with each request, so that a remembered one skips the hash. */
  readonly repeated: boolean;
  /** Until when it may wait for others, as `performance.now()` tells time. */
  readonly giveUpAt: number;
}

/** The rules that a try stands under, one for each counter. */
export type Rules = Record<keyof CounterKeys, WaitingRule>;

/** How a try stands before its password is looked at. */
export interface ThrottleState extends StoredThrottleState {
  /** When the address last logged the user in, if that still counts. */
  readonly familiarSince: number | undefined;
  readonly now: number;
  /** As the store gave it. */
  readonly kept: StoredThrottleState;
}

/** From which share of the failures that lock a name out a subscriber's network waits for this name, and a site's. */
const SHARE_OF_SUBSCRIBER = 1 / 4;
const SHARE_OF_SITE = 1 / 2;

/** The settings that the rules follow from; the duration is in milliseconds. */
export type RuleSettings = Readonly<Record<'throttleAfter' | 'lockoutThreshold' | 'lockoutDuration', number>>;

/** The rules for these settings. */
export function rulesFor({ throttleAfter, lockoutThreshold, lockoutDuration }: RuleSettings): Rules {
  return {
    name: lockoutRule(lockoutThreshold, lockoutDuration),
    pair: pairRule(throttleAfter),
    subscriber: networkRule(lockoutThreshold, SHARE_OF_SUBSCRIBER),
    site: networkRule(lockoutThreshold, SHARE_OF_SITE),
    address: addressRule,
  };
}

/** Reads how a try stands, of which `known` was read before. A name that cannot be anybody's is looked up nowhere. */
export function readThrottleState(
  { attempts }: Pick<ReadUnit, 'attempts'>,
  { name, key, address, keys }: Omit<Attempt, 'repeated' | 'giveUpAt'>,
  now: number,
  known?: StoredThrottleState,
): MaybePromise<ThrottleState> {
  const userKey = isPossibleName(name) ? key : undefined;
  return chain(attempts.standing({ userKey, address, keys }, known), (kept) => throttleStateAt(kept, now));
}

function throttleStateAt(kept: StoredThrottleState, now: number): ThrottleState {
  const { user, counters, familiarSince: seen } = kept;
  // An address that was seen too long ago is familiar no more. A date in the future comes from a clock that was ahead.
  const familiarSince = seen !== undefined && Math.abs(now - seen) < FAMILIAR_FOR ? seen : undefined;
  return { user, counters, familiarSince, now, kept };
}

/** Whether the name is locked out by failures. A name that no user has can be locked out, too. */
export function isLockedOut(standing: ThrottleState, rules: Rules): boolean {
  const { counters, now } = standing;
  return remainingLock(standing, rules) > 0 || remainingWait(counters.name, now, rules.name) > 0;
}

/** Milliseconds until the user's lock-out by failures ends; 0 when there is none, or when its counter says until when it holds. */
function remainingLock({ user, counters, now }: ThrottleState, rules: Rules): number {
  if (user === undefined || user.lockedUntil === counters.name?.waitUntil) return 0;
  if (isLockedByHand(user) || !isLocked(user, now, longestWait(rules.name))) return 0;
  return user.lockedUntil - now;
}

/** Why a try is refused unhashed, and for how many milliseconds; nothing when it is let through. */
export function refusedUnhashed(
  standing: ThrottleState,
  rules: Rules,
): { reason: string; wait: number } | undefined {
  const { user, counters, familiarSince, now } = standing;
  const waitOf = (which: keyof Rules) => remainingWait(counters[which], now, rules[which]);
  const pair = waitOf('pair');
  if (pair > 0) return { reason: 'waiting', wait: pair };
  // From a familiar address a user passes what others brought about, be it others behind the same address.
  if (familiarSince !== undefined) return undefined;
  const address = waitOf('address');
  if (address > 0) return { reason: 'address-waiting', wait: address };
  const counted = waitOf('name');
  if (isLockedByHand(user) && isLockedOut(standing, rules))
    return { reason: 'locked-by-hand', wait: counted };
  if (isLockedOut(standing, rules))
    return { reason: 'locked', wait: Math.max(counted, remainingLock(standing, rules)) };
  const network = Math.max(waitOf('subscriber'), waitOf('site'));
  return network > 0 ? { reason: 'network-waiting', wait: network } : undefined;
}

/**
 * The places that a try takes while it is under way. One from a familiar address is limited by those of the pair and the
 * address alone, so that guesses from elsewhere do not hold it up. During a lock-out or a wait of its address or network it goes
 * alone, since one failure ends the familiarity.
 */
export function placesOf(
  standing: ThrottleState,
  { keys }: Attempt,
  rules: Rules,
): { key: string; room: number }[] {
  const { counters, familiarSince, now } = standing;
  const passes =
    familiarSince !== undefined && refusedUnhashed({ ...standing, familiarSince: undefined }, rules);
  return COUNTERS.map((which) => {
    const room = triesLeft(counters[which], now, rules[which]);
    if (familiarSince === undefined || which === 'address') return { key: keys[which], room };
    if (which === 'pair') return { key: keys.pair, room: passes ? 1 : room };
    return { key: keys[which], room: Number.POSITIVE_INFINITY };
  });
}

/** Makes the keys of a try. */
export type KeysOf = (userKey: string, address: string) => CounterKeys;

/** Makes counter keys: HMACs, since a name that is no user's may be a password typed into the wrong field. */
export function counterKeys(secret: Buffer): KeysOf {
  const hmac = (...parts: string[]) => createHmac('sha256', secret).update(parts.join('\0')).digest('hex');
  return (userKey, address) => ({
    name: hmac('name', userKey),
    pair: hmac('pair', userKey, address),
    subscriber: hmac('subscriber', userKey, blockOf(address, SUBSCRIBER)),
    site: hmac('site', userKey, blockOf(address, SITE)),
    address: hmac('address', address),
  });
}

/** A number from 0 to below 1 that a key always gives, and nobody without the secret can foresee. */
export function shareOf(key: CounterKey): number {
  return Number.parseInt(key.slice(0, 12), 16) / 2 ** 48;
}
