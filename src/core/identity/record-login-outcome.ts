import type { Event } from '../domain/event.ts';
import {
  afterFailure,
  type Counter,
  FAMILIAR_FOR,
  longestWait,
  remainingWait,
  type WaitingRule,
} from '../domain/lockout.ts';
import { requestOriginOf } from '../domain/request-origin.ts';
import {
  isLocked,
  isLockedByHand,
  isPasswordless,
  maskedName,
  noteLogin,
  type User,
} from '../domain/user.ts';
import type { Store, WriteUnit } from '../storage/store.ts';
import { type Attempt, CLEARED, isLockedOut, type Rules, readThrottleState } from './throttle-state.ts';

/** How many counters a trim keeps. Until its next trim each process adds up to 5,000. */
const MOST_COUNTERS = 190_000;

/** The name that events give to the user: masked if there is no such user. */
export function nameInEvents(attempt: Attempt, user: User | undefined): string {
  return user?.name ?? maskedName(attempt.name);
}

/** An attempt whose outcome is written. */
export interface LoginOutcome {
  readonly store: Store;
  readonly attempt: Attempt;
  /** Epoch milliseconds. */
  readonly now: number;
  /** Called when an event could not be written. The outcome is written all the same. */
  readonly onFault: (fault: unknown) => void;
}

/**
 * Counts a failure under all keys of the attempt, locks the name out at the threshold, and writes the events with the reason.
 * Returns whether this failure locked the name out.
 */
export function recordFailure(
  outcome: LoginOutcome,
  rules: Rules,
  reason: string,
  trim: boolean,
): Promise<boolean> {
  const { store, attempt, now } = outcome;
  return store.write(async (unit) => {
    const state = await readThrottleState(unit, attempt, now);
    const { user } = state;
    const next = (which: keyof Rules) => afterFailure(state.counters[which], now, rules[which]);
    const name = next('name');
    await unit.attempts.put(attempt.keys.address, undefined, next('address'));
    await unit.attempts.put(attempt.keys.name, attempt.keys.name, name);
    for (const which of ['pair', 'subscriber', 'site'] as const)
      await unit.attempts.put(attempt.keys[which], attempt.keys.name, next(which));
    if (user !== undefined) await unit.attempts.forgetFamiliar(user.id, attempt.address);
    const locks = name.waitUntil > now && !isLockedOut(state, rules) && !isLockedByHand(user);
    if (locks && user !== undefined) await unit.users.change(user.id, { lockedUntil: name.waitUntil });
    const who = { at: now, user: nameInEvents(attempt, user), ...requestOriginOf(attempt) };
    const events: Event[] = [{ ...who, kind: 'login-refused', reason }];
    if (locks) events.push({ ...who, kind: 'lock', reason: 'too many failures' });
    await recordEvents(unit, outcome, events);
    if (trim) await unit.attempts.trim(MOST_COUNTERS, now);
    return locks;
  });
}

async function recordEvents(
  unit: WriteUnit,
  { onFault }: LoginOutcome,
  events: readonly Event[],
): Promise<void> {
  const fault = await unit.aside(async () => {
    for (const event of events) await unit.events.append(event);
  });
  if (fault !== undefined) onFault(fault);
}

/** Why an attempt was refused after its password was hashed, for the events and the log. */
export function failureReason(user: User | undefined): string {
  if (user === undefined) return 'unknown-name';
  if (user.disabled) return 'disabled';
  return isLockedByHand(user) ? 'locked-by-hand' : 'wrong-password';
}

/** An attempt with the right password. */
interface Success {
  /** The user as it was when the password was verified. */
  readonly verified: User;
  /** Whether the attempt was let through although the name was locked out: it ends every lock-out by failures. */
  readonly passesLock: boolean;
  /** Whether an event tells of a new place: after a password from an address without a login of the user within the last 30 days. */
  readonly tellsPlace: boolean;
  readonly renewedHash: string | undefined;
  readonly rules: Rules;
}

/**
 * Whether the user has logged in before, but not from here: a failure alone makes an address unfamiliar. Anybody may log in as a user
 * without a password, so that those have no places of their own.
 */
async function isNewPlace({ events }: WriteUnit, user: User, { from, at }: Event): Promise<boolean> {
  if (isPasswordless(user) || user.lastLoginAt === 0) return false;
  const kind = ['login', 'password-accepted'] as const;
  const since = at - FAMILIAR_FOR;
  return (await events.latest({ user: user.name, kind, from, since, limit: 1 })).length === 0;
}

/**
 * Clears the counters of the name, makes the address familiar, stores a renewed hash, and writes events for what the event
 * of a ticket does not tell. Does nothing if the user was changed meanwhile so that it may not log in.
 */
export async function recordSuccess(
  unit: WriteUnit,
  outcome: LoginOutcome,
  { verified, passesLock, tellsPlace, renewedHash, rules }: Success,
): Promise<void> {
  const { attempt, now } = outcome;
  const user = await unit.users.find(verified.id);
  if (user === undefined) return;
  const isSame = user.passwordHash === verified.passwordHash;
  if (!isSame && user.generation !== verified.generation) return;
  const locked = isLocked(user, now, longestWait(rules.name));
  const isPassed = passesLock || user.lockedUntil === verified.lockedUntil;
  if (locked && (isLockedByHand(user) || !isPassed)) return;
  for (const which of CLEARED) await unit.attempts.remove(attempt.keys[which]);
  await unit.attempts.setFamiliar(user.id, attempt.address, now);
  await noteLogin(unit.users, user, now);
  if (renewedHash !== undefined && isSame) await unit.users.change(user.id, { passwordHash: renewedHash });
  if (user.lockedUntil > now) await unit.users.change(user.id, { lockedUntil: 0 });
  const who = { at: now, user: user.name, ...requestOriginOf(attempt) };
  const events: Event[] = [];
  if (locked) events.push({ ...who, kind: 'unlock', reason: 'right password from a familiar address' });
  const unfamiliar: Event = { ...who, kind: 'login-unfamiliar' };
  if (tellsPlace && (await isNewPlace(unit, user, unfamiliar))) events.push(unfamiliar);
  // A login writes the event of its ticket.
  if (attempt.repeated) events.push({ ...who, kind: 'password-accepted' });
  if (events.length > 0) await recordEvents(unit, outcome, events);
}

/** Milliseconds between writes. */
const WRITE_EVERY = 1_000;
/** How many addresses may be pending. Refusals of further addresses are not counted. */
const MOST_ADDRESSES = 1_000;

interface QueueRefusalParts {
  readonly store: Store;
  /** The rule for the counters of addresses. */
  readonly rule: WaitingRule;
  readonly clock: () => number;
  /** Called when counts could not be written. They are lost. */
  readonly onFault: (fault: unknown) => void;
}

/** How often logins from one address were refused, and the first of them. */
interface Refusals {
  readonly attempt: Attempt;
  times: number;
}

/**
 * Counts each login that was refused because its address has too many waiting as a failure of the address. Counts are
 * written once a second, so that a flood of logins does not become a flood of writes.
 */
export class QueueRefusals {
  readonly #parts: QueueRefusalParts;
  #pending = new Map<string, Refusals>();
  #timer: NodeJS.Timeout | undefined;

  constructor(parts: QueueRefusalParts) {
    this.#parts = parts;
  }

  count(attempt: Attempt): void {
    const refusals = this.#pending.get(attempt.address);
    if (refusals !== undefined) {
      refusals.times += 1;
      return;
    }
    if (this.#pending.size < MOST_ADDRESSES) this.#pending.set(attempt.address, { attempt, times: 1 });
    this.#timer ??= setTimeout(() => void this.#write(), WRITE_EVERY).unref();
  }

  async #write(): Promise<void> {
    const { store, rule, clock, onFault } = this.#parts;
    const pending = this.#pending;
    this.#pending = new Map();
    this.#timer = undefined;
    const now = clock();
    try {
      await store.write(async (unit) => {
        for (const { attempt, times } of pending.values()) {
          const { counters } = await readThrottleState(unit, attempt, now);
          const counter = afterRefusals(counters.address, times, now, rule);
          if (counter !== undefined) await unit.attempts.put(attempt.keys.address, undefined, counter);
        }
      });
    } catch (fault) {
      onFault(fault);
    }
  }
}

/** The counter after so many refusals. Once the address has to wait, further refusals do not count. */
function afterRefusals(
  counter: Counter | undefined,
  times: number,
  now: number,
  rule: WaitingRule,
): Counter | undefined {
  let after = counter;
  for (let left = times; left > 0 && remainingWait(after, now, rule) === 0; left -= 1)
    after = afterFailure(after, now, rule);
  return after;
}
