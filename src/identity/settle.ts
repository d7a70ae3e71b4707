import { afterFailure } from '../domain/lockout.ts';
import { isLocked, maskedName, type User } from '../domain/user.ts';
import type { Store, WriteUnit } from '../storage/store.ts';
import { isLockedByHand, isLockedOut, type Rules, type Standing, standingOf, type Try } from './standing.ts';

/** Counters that a trim leaves: trimmed often enough, there are never 100,000 of them. */
const MOST_COUNTERS = 95_000;
/** How old the date of a familiar address may get before a login writes it again. */
const FAMILIAR_FRESH = 24 * 60 * 60 * 1_000;

/** The user as events name it. */
export function nameInEvents(made: Try, user: User | undefined): string {
  return user?.name ?? maskedName(made.name);
}

/** Counts a failed try under all three keys, locks the name out when it is due, and records the refusal. */
export function settleFailure(
  store: Store,
  made: Try,
  rules: Rules,
  now: number,
  trim: boolean,
): Promise<void> {
  return store.write(async (unit) => {
    const standing = await standingOf(unit, made, now);
    const { user } = standing;
    const counters = {
      name: afterFailure(standing.counters.name, now, rules.name),
      pair: afterFailure(standing.counters.pair, now, rules.pair),
      address: afterFailure(standing.counters.address, now, rules.address),
    };
    await unit.attempts.put(made.keys.name, made.keys.name, counters.name);
    await unit.attempts.put(made.keys.pair, made.keys.name, counters.pair);
    await unit.attempts.put(made.keys.address, undefined, counters.address);
    if (user !== undefined) await unit.attempts.forgetFamiliar(user.id, made.address);
    const locks = counters.name.waitUntil > now && !isLockedOut(standing, rules) && !isLockedByHand(user);
    if (locks && user !== undefined)
      await unit.users.change(user.id, { lockedUntil: counters.name.waitUntil });
    await recordFailure(unit, made, user, now, locks);
    if (trim) await unit.attempts.trim(MOST_COUNTERS, now);
  });
}

async function recordFailure(
  unit: WriteUnit,
  made: Try,
  user: User | undefined,
  now: number,
  locks: boolean,
): Promise<void> {
  const who = { at: now, user: nameInEvents(made, user), from: made.address };
  await unit.aside(async () => {
    await unit.events.append({ ...who, kind: 'login-refused', reason: failureReason(user) });
    if (locks) await unit.events.append({ ...who, kind: 'lock', reason: 'too many failures' });
  });
}

/** Why a password that was looked at is refused, for the events and the log. */
export function failureReason(user: User | undefined): string {
  if (user === undefined) return 'unknown-name';
  if (user.disabled) return 'disabled';
  return isLockedByHand(user) ? 'locked-by-hand' : 'wrong-password';
}

/** Whether a success has anything to write: most have not, and cost no commit of their own. */
export function successIsDue(
  { user, counters, familiarSince, now }: Standing,
  renewedHash: string | undefined,
): boolean {
  if (counters.name !== undefined || counters.pair !== undefined || renewedHash !== undefined) return true;
  if (user !== undefined && isLocked(user, now)) return true;
  return familiarSince === undefined || now - familiarSince > FAMILIAR_FRESH;
}

/** Clears the pair and the name, makes the address familiar and keeps a renewed hash. A lock ends only for `pastLock`. */
export function settleSuccess(
  store: Store,
  made: Try,
  verified: User,
  pastLock: boolean,
  renewedHash: string | undefined,
  now: number,
): Promise<void> {
  return store.write(async (unit) => {
    const user = await unit.users.find(verified.id);
    if (user === undefined) return;
    const isSame = user.passwordHash === verified.passwordHash;
    if (!isSame && user.generation !== verified.generation) return;
    const locked = isLocked(user, now);
    if (locked && !(pastLock && !isLockedByHand(user))) return;
    await unit.attempts.remove(made.keys.pair);
    await unit.attempts.remove(made.keys.name);
    await unit.attempts.setFamiliar(user.id, made.address, now);
    if (locked) {
      await unit.users.change(user.id, { lockedUntil: 0 });
      const event = {
        at: now,
        kind: 'unlock',
        user: user.name,
        from: made.address,
        reason: 'right password from a familiar address',
      } as const;
      await unit.aside(() => unit.events.append(event));
    }
    if (renewedHash !== undefined && isSame) await unit.users.change(user.id, { passwordHash: renewedHash });
  });
}
