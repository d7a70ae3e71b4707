import {
  addressRule,
  FAMILIAR_FOR,
  lockoutRule,
  pairRule,
  remainingWait,
  triesLeft,
  type WaitingRule,
} from '../domain/lockout.ts';
import { isLocked, isPossibleName, UNTIL_UNLOCKED, type User } from '../domain/user.ts';
import { andThen, type Soon } from '../soon.ts';
import type { CounterKeys, KeptStanding, ReadUnit } from '../storage/store.ts';

/** One try: who is named, and from where. */
export interface Try {
  readonly name: string;
  readonly key: string;
  readonly address: string;
  readonly keys: CounterKeys;
  /** Whether the pair comes with each request, so that a remembered one skips the hash. */
  readonly repeated: boolean;
  /** Until when it may wait for others, as `performance.now()` tells time. */
  readonly giveUpAt: number;
}

/** The three rules that a try stands under. */
export type Rules = Record<keyof CounterKeys, WaitingRule>;

/** How a try stands before its password is looked at. */
export interface Standing extends KeptStanding {
  /** When the address last logged the user in, if that still counts. */
  readonly familiarSince: number | undefined;
  readonly now: number;
  /** As the store gave it. */
  readonly kept: KeptStanding;
}

/** The settings that the rules follow from; the duration is in milliseconds. */
export type RuleSettings = Readonly<Record<'throttleAfter' | 'lockoutThreshold' | 'lockoutDuration', number>>;

/** The rules for these settings. */
export function rulesFor({ throttleAfter, lockoutThreshold, lockoutDuration }: RuleSettings): Rules {
  return {
    name: lockoutRule(lockoutThreshold, lockoutDuration),
    pair: pairRule(throttleAfter),
    address: addressRule,
  };
}

/** Reads how a try stands, of which `known` was read before. A name that cannot be anybody's is looked up nowhere. */
export function standingOf(
  { attempts }: Pick<ReadUnit, 'attempts'>,
  { name, key, address, keys }: Omit<Try, 'repeated' | 'giveUpAt'>,
  now: number,
  known?: KeptStanding,
): Soon<Standing> {
  const userKey = isPossibleName(name) ? key : undefined;
  return andThen(attempts.standing({ userKey, address, keys }, known), (kept) => standingAt(kept, now));
}

function standingAt(kept: KeptStanding, now: number): Standing {
  const { user, counters, familiarSince: seen } = kept;
  // An address that was seen too long ago is familiar no more.
  const familiarSince = seen !== undefined && now - seen < FAMILIAR_FOR ? seen : undefined;
  return { user, counters, familiarSince, now, kept };
}

/** Whether the user was locked by hand: no failure brought that about, and no success ends it. */
export function isLockedByHand(user: User | undefined): boolean {
  return user?.lockedUntil === UNTIL_UNLOCKED;
}

/** Whether the name is locked out by failures, be it a user's or nobody's. */
export function isLockedOut({ user, counters, now }: Standing, rules: Rules): boolean {
  const locked = user !== undefined && isLocked(user, now) && !isLockedByHand(user);
  return locked || remainingWait(counters.name, now, rules.name) > 0;
}

/** Why a try is refused unhashed, and for how many milliseconds; nothing when it is let through. */
export function refusedUnhashed(
  standing: Standing,
  rules: Rules,
): { reason: string; wait: number } | undefined {
  const { user, counters, familiarSince, now } = standing;
  const pair = remainingWait(counters.pair, now, rules.pair);
  if (pair > 0) return { reason: 'waiting', wait: pair };
  const address = remainingWait(counters.address, now, rules.address);
  if (address > 0) return { reason: 'address-waiting', wait: address };
  if (!isLockedOut(standing, rules) || familiarSince !== undefined) return undefined;
  const counted = remainingWait(counters.name, now, rules.name);
  if (isLockedByHand(user)) return { reason: 'locked-by-hand', wait: counted };
  return { reason: 'locked', wait: Math.max(counted, (user?.lockedUntil ?? 0) - now) };
}

/** The places that a try takes while it is under way. */
export function placesOf(
  { counters, now }: Standing,
  { keys }: Try,
  rules: Rules,
): { key: string; room: number }[] {
  return (['name', 'pair', 'address'] as const).map((which) => ({
    key: keys[which],
    room: triesLeft(counters[which], now, rules[which]),
  }));
}
