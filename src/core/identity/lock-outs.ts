import type { RecordedEvent } from '../domain/event.ts';
import type { Counter, LockOut, LockOutReason } from '../domain/lockout.ts';
import { isLockedByHand, type User, userKey } from '../domain/user.ts';
import type { EventPlace } from '../storage/events.ts';
import type { CounterKeys, ReadUnit, WriteUnit } from '../storage/store.ts';
import { forgetCodes } from './code-guesses.ts';
import {
  counterKeys,
  type KeysOf,
  type Rules,
  readThrottleState,
  refusedUnhashed,
} from './throttle-state.ts';

/** The counters that can cause each refusal. */
const COUNTERS_OF: Readonly<Record<LockOutReason, readonly (keyof CounterKeys)[]>> = {
  locked: ['name'],
  'locked-by-hand': ['name'],
  waiting: ['pair'],
  'network-waiting': ['subscriber', 'site'],
  'address-waiting': ['address'],
};

/** Reasons that hold at every address. */
const AT_ALL_ADDRESSES: readonly string[] = ['locked', 'locked-by-hand'];

/** No address has this form, so only what holds for a name at all addresses is found under it. */
const NO_ADDRESS = '';

/** The longest wait after a failure, in milliseconds. The search for waits ignores older failures. */
const LONGEST_WAIT_OF_ALL = 24 * 60 * 60 * 1_000;

/** The most refusals that are looked at for the waits of one user. */
const MOST_OF_USER = 100;

/** A page of waits, and the refusal that the next page begins behind; undefined after the last page. */
interface PageOfWaits {
  readonly items: readonly LockOut[];
  readonly next: EventPlace | undefined;
}

type Name = Pick<User, 'name' | 'key'>;

const longestOf = (counters: readonly (Counter | undefined)[]) =>
  counters.reduce((longest, each) => ((each?.waitUntil ?? 0) > (longest?.waitUntil ?? 0) ? each : longest));

/** The latest events about a user that tell of lock-outs and refusals, the latest first. */
export type LockOutEvents = Readonly<Record<'lock' | 'login-refused', readonly RecordedEvent[]>>;

async function lockOutEventsOf({ events }: ReadUnit, { name: user }: Name): Promise<LockOutEvents> {
  const [lock, refusals] = await Promise.all([
    events.latest({ user, kind: 'lock', limit: 1 }),
    events.latest({ user, kind: 'login-refused', limit: MOST_OF_USER }),
  ]);
  return { lock, 'login-refused': refusals };
}

/** When an administrator locked the user: the counters do not tell it. */
const byHand = ({ reason }: LockOut, [lock]: readonly RecordedEvent[]) =>
  reason === 'locked-by-hand' ? { since: lock?.at } : {};

/**
 * Shows and lifts the waits and lock-outs that the password check enforces. The store keeps counters under an HMAC of the
 * name, which does not reveal the name. The class finds locked users in the list of users, and waits by the refused logins
 * in the events of the last day. The lists lack unknown names, and waits whose events were swept.
 */
export class LockOuts {
  readonly #throttleKey: Buffer;
  readonly #keysOf: KeysOf;
  readonly #rules: Rules;
  readonly #keyOf: (name: string) => string;

  constructor(throttleKey: Buffer, rules: Rules, namesCaseSensitive: boolean) {
    this.#throttleKey = throttleKey;
    this.#keysOf = counterKeys(throttleKey);
    this.#rules = rules;
    this.#keyOf = (name) => userKey(name, namesCaseSensitive);
  }

  /** The lock-outs of these users, who may be none, in the same order. */
  async ofUsers(unit: ReadUnit, users: readonly User[], now: number): Promise<LockOut[]> {
    const found: LockOut[] = [];
    for (const user of users) {
      const lock = await this.#ofUser(unit, user, now);
      if (lock !== undefined) found.push(lock);
    }
    return found;
  }

  /**
   * The lock-out of the user, and its waits at the addresses of its latest refusals. `events` are those that the caller reads
   * anyhow.
   */
  async ofUser(
    unit: ReadUnit,
    user: User,
    now: number,
    events: Promise<LockOutEvents> = lockOutEventsOf(unit, user),
  ): Promise<LockOut[]> {
    const [lock, { lock: locks, 'login-refused': refusals }] = await Promise.all([
      this.#of(unit, user, NO_ADDRESS, now),
      events,
    ]);
    const { since } = this.#refusals(now);
    const from = refusals.filter(({ at }) => at >= since).map((refusal) => refusal.from);
    const addresses = [...new Set(from)].filter((address) => address !== undefined);
    const waits = await Promise.all(addresses.map((address) => this.#at(unit, user, address, now)));
    const own = lock && { ...lock, ...byHand(lock, locks), user: user.name };
    return [own, ...waits].filter((each) => each !== undefined);
  }

  /** The waits at addresses, by up to `limit` refusals before `before`, the latest first. A page may have fewer. */
  async waits(
    unit: ReadUnit,
    before: EventPlace | undefined,
    limit: number,
    now: number,
  ): Promise<PageOfWaits> {
    const refusals = await unit.events.latest({ ...this.#refusals(now), before, limit });
    const items: LockOut[] = [];
    for (const refusal of refusals) items.push(...(await this.#newestAt(unit, refusal, now)));
    return { items, next: refusals.length < limit ? undefined : refusals.at(-1) };
  }

  /** Forgets the failures under this key of a name, and so ends the waits that they cause. */
  async forget(unit: WriteUnit, key: string): Promise<void> {
    await unit.attempts.removeOfName(this.#keysOf(key, NO_ADDRESS).name);
  }

  /** Forgets the wrong codes of the user of this key, whose authenticator app is gone. */
  forgetCodes(unit: WriteUnit, key: string): Promise<void> {
    return forgetCodes(unit, this.#throttleKey, key);
  }

  #refusals(now: number) {
    return { kind: 'login-refused', since: now - LONGEST_WAIT_OF_ALL } as const;
  }

  async #ofUser(unit: ReadUnit, user: User, now: number): Promise<LockOut | undefined> {
    const lock = await this.#of(unit, user, NO_ADDRESS, now);
    if (lock?.reason !== 'locked-by-hand') return lock && { ...lock, user: user.name };
    const locks = await unit.events.latest({ user: user.name, kind: 'lock', limit: 1 });
    return { ...lock, ...byHand(lock, locks), user: user.name };
  }

  /** The wait of a user at an address. A lock-out that holds at all addresses is left out. */
  async #at(unit: ReadUnit, name: Name, address: string, now: number): Promise<LockOut | undefined> {
    const found = await this.#of(unit, name, address, now);
    if (found === undefined || AT_ALL_ADDRESSES.includes(found.reason)) return undefined;
    return found.reason === 'address-waiting'
      ? { ...found, address }
      : { ...found, address, user: name.name };
  }

  /** The wait that this refusal tells of, unless a newer one tells of it. */
  async #newestAt(unit: ReadUnit, refusal: RecordedEvent, now: number): Promise<LockOut[]> {
    const { id, user = '', from } = refusal;
    if (from === undefined) return [];
    const fresh = await unit.users.findByKey(this.#keyOf(user));
    const wait = await this.#at(unit, fresh ?? { name: '', key: '' }, from, now);
    if (wait === undefined) return [];
    const sameUser = wait.user === undefined ? {} : { user };
    const [newest] = await unit.events.latest({ ...this.#refusals(now), ...sameUser, from, limit: 1 });
    return newest?.id === id ? [wait] : [];
  }

  async #of(unit: ReadUnit, { name, key }: Name, address: string, now: number): Promise<LockOut | undefined> {
    const attempt = { name, key, address, keys: this.#keysOf(key, address) };
    const state = await readThrottleState(unit, attempt, now);
    const refused = refusedUnhashed(state, this.#rules);
    const reason = refused?.reason ?? (isLockedByHand(state.user) ? 'locked-by-hand' : undefined);
    if (reason === undefined) return undefined;
    const counter = longestOf(COUNTERS_OF[reason].map((which) => state.counters[which]));
    const until = reason === 'locked-by-hand' ? undefined : now + (refused?.wait ?? 0);
    return { reason, failures: counter?.failures ?? 0, since: counter?.since, until };
  }
}
