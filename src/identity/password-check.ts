import type { Event } from '../domain/event.ts';
import { longestWait } from '../domain/lockout.ts';
import { refuse } from '../domain/refusal.ts';
import { isLocked, isLockedByHand, isPossibleName, type User, userKey } from '../domain/user.ts';
import { chain, type MaybePromise } from '../maybe-promise.ts';
import type { ReadUnit, Store, StoredThrottleState, WriteUnit } from '../storage/store.ts';
import { QueueTimeout } from './concurrency-limiter.ts';
import { AddressQueueFull } from './hash-queue.ts';
import { InFlightAttempts } from './in-flight-attempts.ts';
import { isFarTooLong, isTooLong } from './password-hash.ts';
import { PasswordlessLogins } from './passwordless-logins.ts';
import {
  failureReason,
  nameInEvents,
  QueueRefusals,
  type Settlement,
  settleFailure,
  settleSuccess,
  successIsDue,
} from './record-login-outcome.ts';
import {
  type Attempt,
  counterKeys,
  isLockedOut,
  type KeysOf,
  placesOf,
  type Rules,
  readThrottleState,
  refusedUnhashed,
  shareOf,
  type ThrottleState,
} from './throttle-state.ts';
import { holds, VerifiedCredentialCache } from './verified-credential-cache.ts';
import {
  type PasswordQuestion,
  type PasswordRefusal,
  type Passwords,
  type Verified,
  type Verifier,
  VerifierUnavailable,
} from './verifier.ts';

/** After how many failures the counters are trimmed to their limit. */
const TRIM_EVERY = 1_000;

/** What the one password check works with. */
export interface PasswordCheckParts {
  readonly store: Store;
  readonly verifier: Verifier;
  readonly rules: Rules;
  /** The secret under which counters are keyed. */
  readonly throttleKey: Buffer;
  readonly namesCaseSensitive: boolean;
  /** Tickets of users without a password that one address gets in a minute; 0 for any number. */
  readonly ticketsWithoutPassword: number;
  /** Milliseconds that a try may wait for others: held behind those under its keys, and in the hash queue. */
  readonly deadline: number;
  readonly clock: () => number;
  /** Told of each refused password, looked at or not. */
  readonly onRefused: () => void;
  /** Counts a try that was refused without hashing. */
  readonly tally: (event: Event) => void;
  /** Told of events that could not be written. */
  readonly onFault: (fault: unknown) => void;
}

/** How a try stands, and how many tries were settled under its keys before that was read. */
interface Look {
  readonly standing: ThrottleState;
  readonly settled: number;
}

/** A try that was let through. */
interface Admitted {
  readonly standing: ThrottleState;
  /** Whether a remembered pair skips the hash: such a try takes no places. */
  readonly remembered: boolean;
}

/** The one password check, for every way in: throttle and lock first, then the hash queue, then the count. */
export class PasswordCheck {
  readonly #parts: PasswordCheckParts;
  readonly #keysOf: KeysOf;
  readonly #inFlight = new InFlightAttempts();
  readonly #queueRefusals: QueueRefusals;
  readonly #passwordless: PasswordlessLogins;
  readonly #remembered = new VerifiedCredentialCache();
  #failures = 0;

  constructor(parts: PasswordCheckParts) {
    this.#parts = parts;
    this.#keysOf = counterKeys(parts.throttleKey);
    this.#passwordless = new PasswordlessLogins(parts.ticketsWithoutPassword);
    this.#queueRefusals = new QueueRefusals({ ...parts, rule: parts.rules.address });
  }

  /** The check, bound to the address that a request came from. */
  from(address: string): Passwords {
    const made = (name: string, repeated: boolean): Attempt => {
      const key = userKey(name, this.#parts.namesCaseSensitive);
      const giveUpAt = performance.now() + this.#parts.deadline;
      return { name, key, address, repeated, keys: this.#keysOf(key, address), giveUpAt };
    };
    return {
      check: (name, password) => this.#check(made(name, false), password),
      checkRepeated: (name, password) => this.#check(made(name, true), password),
      fromCache: (unit, name, password) => this.#fromCache(unit, name, address, password),
    };
  }

  async #check(made: Attempt, password: string | undefined): Promise<Verified | PasswordRefusal> {
    try {
      const look = await this.#look(made);
      const { user } = look.standing;
      if (user && user.passwordHash === undefined && !user.disabled)
        return this.#enterWithoutPassword(made, user);
      if (password === undefined) return refuse('password_missing');
      if (isTooLong(password)) return refuse('password_too_long');
      const admitted = await this.#admit(made, password, look);
      if ('refused' in admitted) return admitted;
      if (admitted.remembered)
        return await this.#accept(made, admitted.standing, admitted.standing, undefined);
      return await this.#vouched(made, admitted.standing, password);
    } catch (error) {
      if (!(error instanceof QueueTimeout)) throw error;
      if (error instanceof AddressQueueFull) this.#queueRefusals.count(made);
      return refuse('hash_queue_full', { retryAfter: 2, reason: error.message });
    }
  }

  #fromCache(
    unit: Pick<ReadUnit, 'attempts'>,
    name: string,
    address: string,
    password: string,
  ): MaybePromise<User | undefined> {
    if (isFarTooLong(password)) return undefined;
    const { namesCaseSensitive, clock, rules } = this.#parts;
    const now = clock();
    const key = userKey(name, namesCaseSensitive);
    const pair = this.#remembered.find({ key, address }, password, now);
    // Names that are nobody's may have the key of one that is somebody's.
    if (pair === undefined || !isPossibleName(name)) return undefined;
    const { keys, standing: known } = pair;
    return chain(readThrottleState(unit, { name, key, address, keys }, now, known), (standing) => {
      if (standing.kept !== known && !holds(pair, standing.user)) return undefined;
      pair.standing = standing.kept;
      if (refusedUnhashed(standing, rules) || successIsDue(standing, undefined)) return undefined;
      return standing.user;
    });
  }

  #enterWithoutPassword(made: Attempt, user: User): Verified | PasswordRefusal {
    const now = this.#parts.clock();
    if (isLocked(user, now, longestWait(this.#parts.rules.name)))
      return this.#refuseUnhashed(made, user, 'locked', 0);
    // A pair that comes with each request gives no ticket.
    const wait = made.repeated ? 0 : this.#passwordless.wait(made.address, now);
    if (wait > 0) return this.#refuseUnhashed(made, user, 'too many tickets from this address', wait);
    return { userId: user.id, generation: user.generation, passwordHash: undefined };
  }

  async #look(made: Attempt, known?: StoredThrottleState): Promise<Look> {
    const settled = this.#inFlight.settledUnder(Object.values(made.keys));
    const standing = await this.#parts.store.read((unit) =>
      readThrottleState(unit, made, this.#parts.clock(), known),
    );
    // Such a failure ends the familiarity in the store, where it can be written.
    const familiarSince = this.#inFlight.hasUnwritten(made.keys.pair) ? undefined : standing.familiarSince;
    return { standing: { ...standing, familiarSince }, settled };
  }

  /** Lets a try through once its counters allow it and it has a place among those under way. */
  async #admit(made: Attempt, password: string, first: Look): Promise<Admitted | PasswordRefusal> {
    let wokenUnder: string | undefined;
    try {
      for (let look = first; ; look = await this.#lookAgain(made, look)) {
        const { standing } = look;
        const refused = refusedUnhashed(standing, this.#parts.rules);
        if (refused) return this.#refuseUnhashed(made, standing.user, refused.reason, refused.wait);
        const pair = made.repeated ? this.#remembered.find(made, password, standing.now) : undefined;
        if (pair !== undefined && holds(pair, standing.user)) return { standing, remembered: true };
        // A try was settled meanwhile: what was read of the counters is old.
        if (look.settled !== this.#inFlight.settledUnder(Object.values(made.keys))) continue;
        const full = this.#inFlight.tryAcquire(placesOf(standing, made, this.#parts.rules));
        if (full === undefined) return { standing, remembered: false };
        if (wokenUnder !== full) this.#inFlight.notify(wokenUnder);
        wokenUnder = undefined;
        await this.#inFlight.wait(full, made, Math.max(0, made.giveUpAt - performance.now()));
        wokenUnder = full;
      }
    } finally {
      // There may be room for others as well, or nobody is held back any longer.
      this.#inFlight.notify(wokenUnder);
    }
  }

  #lookAgain(made: Attempt, { standing }: Look): Promise<Look> {
    if (performance.now() > made.giveUpAt)
      throw new QueueTimeout('held behind other tries past the deadline');
    return this.#look(made, standing.kept);
  }

  #refuseUnhashed(made: Attempt, user: User | undefined, reason: string, wait: number): PasswordRefusal {
    const at = this.#parts.clock();
    // An address that waits costs a guesser nothing more: names that are nobody's would be a row each.
    const name = reason === 'address-waiting' ? user?.name : nameInEvents(made, user);
    this.#parts.tally({ at, kind: 'login-refused', user: name, from: made.address, reason });
    const retryAfter = wait > 0 && Number.isFinite(wait) ? Math.ceil(wait / 1_000) : undefined;
    return this.#refuse(made, user, reason, retryAfter);
  }

  #refuse(made: Attempt, user: User | undefined, reason: string, retryAfter?: number): PasswordRefusal {
    this.#parts.onRefused();
    const told = { reason, user: nameInEvents(made, user) };
    return refuse('login_failed', retryAfter === undefined ? told : { ...told, retryAfter });
  }

  /** Has the password verified, and a failure counted before the try's places are given back. */
  async #vouched(made: Attempt, state: ThrottleState, password: string): Promise<Verified | PasswordRefusal> {
    try {
      const question = await this.#asked(made, state);
      const verdict = await this.#parts.verifier.vouch(question, password);
      if (verdict.accepted) {
        // Failures that came to be known during the hash are cleared as well.
        const { standing: fresh } = await this.#look(made, state.kept);
        const admitted = { ...state, user: verdict.learned ?? state.user };
        const verified = await this.#accept(made, admitted, fresh, verdict.renewedHash);
        this.#remember(made, password, verified);
        return verified;
      }
      await this.#countFailure(made);
      return this.#refuse(made, state.user, failureReason(state.user));
    } catch (error) {
      if (!(error instanceof VerifierUnavailable)) throw error;
      // Counted too: who cannot be answered must not be able to try without end.
      await this.#countFailure(made);
      return refuse('passwords_unavailable', { retryAfter: 5, reason: error.message });
    } finally {
      this.#inFlight.release(Object.values(made.keys));
    }
  }

  async #countFailure(made: Attempt): Promise<void> {
    const trim = this.#failures % TRIM_EVERY === 0;
    this.#failures += 1;
    try {
      await settleFailure(this.#settlement(made), this.#parts.rules, trim);
    } catch (fault) {
      // A success may have nothing to write: uncounted, guesses would find it while the store cannot write.
      this.#inFlight.retain(Object.values(made.keys));
      throw fault;
    }
  }

  /**
   * A lock by hand costs the same work as any refusal: answered at once, it would tell that the name exists. For the same
   * reason there is a stand-in for everybody, whether it is needed or not.
   */
  async #asked(
    { name, key, address, keys, giveUpAt }: Attempt,
    { user, familiarSince }: ThrottleState,
  ): Promise<PasswordQuestion> {
    const standIn = await this.#parts.store.read((unit) => unit.users.near(shareOf(keys.name)));
    const familiar = familiarSince !== undefined;
    return { name, key, address, familiar, user, barred: isLockedByHand(user), standIn, giveUpAt };
  }

  /** Whether a lock is passed is decided by how the try stood when it was let through, what is cleared by how it stands now. */
  async #accept(
    made: Attempt,
    admitted: ThrottleState,
    fresh: ThrottleState,
    renewedHash: string | undefined,
  ): Promise<Verified> {
    const user = admitted.user as User;
    const verified = {
      userId: user.id,
      generation: user.generation,
      passwordHash: renewedHash ?? user.passwordHash,
    };
    if (!successIsDue(fresh, renewedHash)) return verified;
    const pastLock = isLockedOut(admitted, this.#parts.rules);
    const settlement = this.#settlement(made);
    const success = { verified: user, pastLock, renewedHash, rules: this.#parts.rules };
    const settle = (unit: WriteUnit) => settleSuccess(unit, settlement, success);
    if (!made.repeated) return { ...verified, settle };
    await this.#parts.store.write(settle);
    return verified;
  }

  #settlement(made: Attempt): Settlement {
    return { ...this.#parts, made, now: this.#parts.clock() };
  }

  #remember(made: Attempt, password: string, { userId, passwordHash }: Verified): void {
    if (passwordHash === undefined) return;
    this.#remembered.remember(made, password, { userId, passwordHash, keys: made.keys }, this.#parts.clock());
  }
}
