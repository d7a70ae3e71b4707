import type { Event } from '../domain/event.ts';
import {
  afterFailure,
  type Counter,
  longestWait,
  remainingWait,
  type WaitingRule,
} from '../domain/lockout.ts';
import { isLocked, isLockedByHand, maskedName, type User } from '../domain/user.ts';
import type { Store, WriteUnit } from '../storage/store.ts';
import {
  type Attempt,
  isLockedOut,
  type Rules,
  readThrottleState,
  type ThrottleState,
} from './throttle-state.ts';

/** Counters that a trim leaves: until its next one each process adds up to 5,000. */
const MOST_COUNTERS = 190_000;
/** Counters of a name that a success clears: the count of the address over all names stays. */
const CLEARED = ['name', 'pair', 'subscriber', 'site'] as const;
/** How old the date of a familiar address may get before a login writes it again. */
const FAMILIAR_FRESH = 24 * 60 * 60 * 1_000;

/** The user as events name it. */
export function nameInEvents(made: Attempt, user: User | undefined): string {
  return user?.name ?? maskedName(made.name);
}

/** A try whose outcome is to be written. */
export interface Settlement {
  readonly store: Store;
  readonly made: Attempt;
  /** Epoch milliseconds. */
  readonly now: number;
  /** Told of an event that could not be written: that alone spoils nothing. */
  readonly onFault: (fault: unknown) => void;
}

/** Counts a failed try under all its keys, locks the name out when it is due, and records the refusal. */
export function settleFailure(settlement: Settlement, rules: Rules, trim: boolean): Promise<void> {
  const { store, made, now } = settlement;
  return store.write(async (unit) => {
    const standing = await readThrottleState(unit, made, now);
    const { user } = standing;
    const next = (which: keyof Rules) => afterFailure(standing.counters[which], now, rules[which]);
    const name = next('name');
    await unit.attempts.put(made.keys.address, undefined, next('address'));
    await unit.attempts.put(made.keys.name, made.keys.name, name);
    for (const which of ['pair', 'subscriber', 'site'] as const)
      await unit.attempts.put(made.keys[which], made.keys.name, next(which));
    if (user !== undefined) await unit.attempts.forgetFamiliar(user.id, made.address);
    const locks = name.waitUntil > now && !isLockedOut(standing, rules) && !isLockedByHand(user);
    if (locks && user !== undefined) await unit.users.change(user.id, { lockedUntil: name.waitUntil });
    const who = { at: now, user: nameInEvents(made, user), from: made.address };
    const events: Event[] = [{ ...who, kind: 'login-refused', reason: failureReason(user) }];
    if (locks) events.push({ ...who, kind: 'lock', reason: 'too many failures' });
    await record(unit, settlement, events);
    if (trim) await unit.attempts.trim(MOST_COUNTERS, now);
  });
}

async function record(unit: WriteUnit, { onFault }: Settlement, events: readonly Event[]): Promise<void> {
  const fault = await unit.aside(async () => {
    for (const event of events) await unit.events.append(event);
  });
  if (fault !== undefined) onFault(fault);
}

/** Why a password that was looked at is refused, for the events and the log. */
export function failureReason(user: User | undefined): string {
  if (user === undefined) return 'unknown-name';
  if (user.disabled) return 'disabled';
  return isLockedByHand(user) ? 'locked-by-hand' : 'wrong-password';
}

/** Whether a success has anything to write: most have not. */
export function successIsDue(
  { user, counters, familiarSince, now }: ThrottleState,
  renewedHash: string | undefined,
): boolean {
  if (renewedHash !== undefined || CLEARED.some((which) => counters[which] !== undefined)) return true;
  if (user !== undefined && user.lockedUntil > now) return true;
  return familiarSince === undefined || Math.abs(now - familiarSince) > FAMILIAR_FRESH;
}

/** What a right password brings. */
export interface Success {
  /** The user as the password was verified. */
  readonly verified: User;
  /** Whether the try was let through though the name was locked out: that ends any lock by failures. */
  readonly pastLock: boolean;
  readonly renewedHash: string | undefined;
  readonly rules: Rules;
}

/** Clears the counters of the name, from anywhere and from here, makes the address familiar, keeps a renewed hash, and records what no login tells. */
export async function settleSuccess(
  unit: WriteUnit,
  settlement: Settlement,
  { verified, pastLock, renewedHash, rules }: Success,
): Promise<void> {
  const { made, now } = settlement;
  const user = await unit.users.find(verified.id);
  if (user === undefined) return;
  const isSame = user.passwordHash === verified.passwordHash;
  if (!isSame && user.generation !== verified.generation) return;
  const locked = isLocked(user, now, longestWait(rules.name));
  const isPassed = pastLock || user.lockedUntil === verified.lockedUntil;
  if (locked && (isLockedByHand(user) || !isPassed)) return;
  for (const which of CLEARED) await unit.attempts.remove(made.keys[which]);
  await unit.attempts.setFamiliar(user.id, made.address, now);
  if (renewedHash !== undefined && isSame) await unit.users.change(user.id, { passwordHash: renewedHash });
  if (user.lockedUntil > now) await unit.users.change(user.id, { lockedUntil: 0 });
  const who = { at: now, user: user.name, from: made.address };
  const events: Event[] = [];
  if (locked) events.push({ ...who, kind: 'unlock', reason: 'right password from a familiar address' });
  // The event of a login is that of its ticket.
  if (made.repeated) events.push({ ...who, kind: 'password-accepted' });
  if (events.length > 0) await record(unit, settlement, events);
}

/** Milliseconds that refusals are gathered before they are written. */
const GATHERED_FOR = 1_000;
/** Addresses that are gathered at most. One that goes on is counted in the next second. */
const MOST_ADDRESSES = 1_000;

/** What {@link QueueRefusals} works with. */
interface QueueRefusalParts {
  readonly store: Store;
  /** The rule of addresses. */
  readonly rule: WaitingRule;
  readonly clock: () => number;
  /** Told of counts that could not be written, which are lost. */
  readonly onFault: (fault: unknown) => void;
}

/** The refusals of one address, and the last of its refused tries. */
interface Refusals {
  made: Attempt;
  times: number;
}

/**
 * Counts logins that are refused because their address has too many waiting, toward the limit of that address. They are
 * gathered and written once a second, so that a flood of logins is no flood of writes.
 */
export class QueueRefusals {
  readonly #parts: QueueRefusalParts;
  #gathered = new Map<string, Refusals>();
  #timer: NodeJS.Timeout | undefined;

  constructor(parts: QueueRefusalParts) {
    this.#parts = parts;
  }

  count(made: Attempt): void {
    const refusals = this.#gathered.get(made.address);
    if (refusals !== undefined) {
      refusals.times += 1;
      return;
    }
    if (this.#gathered.size < MOST_ADDRESSES) this.#gathered.set(made.address, { made, times: 1 });
    this.#timer ??= setTimeout(() => void this.#write(), GATHERED_FOR).unref();
  }

  async #write(): Promise<void> {
    const { store, rule, clock, onFault } = this.#parts;
    const gathered = this.#gathered;
    this.#gathered = new Map();
    this.#timer = undefined;
    const now = clock();
    try {
      await store.write(async (unit) => {
        for (const { made, times } of gathered.values()) {
          const { counters } = await readThrottleState(unit, made, now);
          const counter = afterRefusals(counters.address, times, now, rule);
          if (counter !== undefined) await unit.attempts.put(made.keys.address, undefined, counter);
        }
      });
    } catch (fault) {
      onFault(fault);
    }
  }
}

/** The counter after so many refusals at once, of which none counts any more once the address has to wait. */
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
