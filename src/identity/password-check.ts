import type { Event } from '../domain/event.ts';
import { longestWait } from '../domain/lockout.ts';
import { refuse } from '../domain/refusal.ts';
import { isLocked, isLockedByHand, isPossibleName, type User, userKey } from '../domain/user.ts';
import type { MaybePromise } from '../maybe-promise.ts';
import type { ReadUnit, Store, StoredThrottleState, WriteUnit } from '../storage/store.ts';
import { QueueTimeout } from './concurrency-limiter.ts';
import { AddressQueueFull } from './hash-queue.ts';
import { InFlightAttempts } from './in-flight-attempts.ts';
import { isFarTooLong, isTooLong } from './password-hash.ts';
import { PasswordlessLogins } from './passwordless-logins.ts';
import {
  failureReason,
  hasSuccessToRecord,
  type LoginOutcome,
  nameInEvents,
  QueueRefusals,
  recordFailure,
  recordSuccess,
} from './record-login-outcome.ts';
import {
  type Attempt,
  counterKeys,
  isLockedOut,
  type KeysOf,
  limitsOf,
  type Rules,
  readThrottleState,
  refusedUnhashed,
  shareOf,
  type ThrottleState,
} from './throttle-state.ts';
import { isValidFor, userOf, VerifiedCredentialCache } from './verified-credential-cache.ts';
import {
  type PasswordRefusal,
  type Passwords,
  type VerificationRequest,
  type Verified,
  type Verifier,
  VerifierUnavailable,
} from './verifier.ts';

/** The counters are trimmed to their limit once in so many failures. */
const TRIM_EVERY = 1_000;

/** What the password check works with. */
export interface PasswordCheckParts {
  readonly store: Store;
  readonly verifier: Verifier;
  readonly rules: Rules;
  /** The secret of the counter keys. */
  readonly throttleKey: Buffer;
  readonly namesCaseSensitive: boolean;
  /** Tickets of users without a password that one address gets in a minute; 0 for any number. */
  readonly ticketsWithoutPassword: number;
  /** Milliseconds that an attempt may wait: for others in flight, and in the hash queue. */
  readonly deadline: number;
  readonly clock: () => number;
  /** Called for each refused password, hashed or not. */
  readonly onRefused: () => void;
  /** Counts an attempt that was refused without hashing. */
  readonly tally: (event: Event) => void;
  /** Called when an event could not be written. */
  readonly onFault: (fault: unknown) => void;
}

/** A throttle state, and the number of ended attempts (`endedUnder`) from before it was read. */
interface FreshState {
  readonly state: ThrottleState;
  readonly ended: number;
}

/** An attempt that was let through. */
interface Admitted {
  readonly state: ThrottleState;
  /** Whether its credential is cached: it needs no hash, and is not in flight. */
  readonly cached: boolean;
}

/** The one password check of every login: first throttle and lock-out, then the hash queue, then the counters. */
export class PasswordCheck {
  readonly #parts: PasswordCheckParts;
  readonly #keysOf: KeysOf;
  readonly #inFlight = new InFlightAttempts();
  readonly #queueRefusals: QueueRefusals;
  readonly #passwordless: PasswordlessLogins;
  readonly #cache = new VerifiedCredentialCache();
  #failures = 0;

  constructor(parts: PasswordCheckParts) {
    this.#parts = parts;
    this.#keysOf = counterKeys(parts.throttleKey);
    this.#passwordless = new PasswordlessLogins(parts.ticketsWithoutPassword);
    this.#queueRefusals = new QueueRefusals({ ...parts, rule: parts.rules.address });
  }

  /** The check for requests from this address. */
  from(address: string): Passwords {
    const attemptOf = (name: string, repeated: boolean): Attempt => {
      const key = userKey(name, this.#parts.namesCaseSensitive);
      const giveUpAt = performance.now() + this.#parts.deadline;
      return { name, key, address, repeated, keys: this.#keysOf(key, address), giveUpAt };
    };
    return {
      check: (name, password) => this.#check(attemptOf(name, false), password),
      checkRepeated: (name, password) => this.#check(attemptOf(name, true), password),
      fromCache: (unit, name, password) => this.#fromCache(unit, name, address, password),
    };
  }

  async #check(attempt: Attempt, password: string | undefined): Promise<Verified | PasswordRefusal> {
    try {
      const reading = await this.#read(attempt);
      const { user } = reading.state;
      if (user && user.passwordHash === undefined && !user.disabled)
        return this.#checkPasswordless(attempt, user);
      if (password === undefined) return refuse('password_missing');
      if (isTooLong(password)) return refuse('password_too_long');
      const admitted = await this.#admit(attempt, password, reading);
      if ('refused' in admitted) return admitted;
      if (admitted.cached) return await this.#accept(attempt, admitted.state, admitted.state, undefined);
      return await this.#verify(attempt, admitted.state, password);
    } catch (error) {
      if (!(error instanceof QueueTimeout)) throw error;
      if (error instanceof AddressQueueFull) this.#queueRefusals.count(attempt);
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
    const cached = this.#cache.find({ key, address }, password, now);
    // A name that no user can have may have the same key as the name of a user.
    if (cached === undefined || !isPossibleName(name)) return undefined;
    return userOf(cached, unit, { name, key, address }, rules, now);
  }

  #checkPasswordless(attempt: Attempt, user: User): Verified | PasswordRefusal {
    const now = this.#parts.clock();
    if (isLocked(user, now, longestWait(this.#parts.rules.name)))
      return this.#refuseUnhashed(attempt, user, 'locked', 0);
    // A request with name and password gets no ticket.
    const wait = attempt.repeated ? 0 : this.#passwordless.wait(attempt.address, now);
    if (wait > 0) return this.#refuseUnhashed(attempt, user, 'too many tickets from this address', wait);
    return { userId: user.id, generation: user.generation, passwordHash: undefined };
  }

  async #read(attempt: Attempt, known?: StoredThrottleState): Promise<FreshState> {
    const ended = this.#inFlight.endedUnder(Object.values(attempt.keys));
    const state = await this.#parts.store.read((unit) =>
      readThrottleState(unit, attempt, this.#parts.clock(), known),
    );
    // An unwritten failure makes the address unfamiliar, as a written one does in the store.
    const familiarSince = this.#inFlight.hasUnwritten(attempt.keys.pair) ? undefined : state.familiarSince;
    return { state: { ...state, familiarSince }, ended };
  }

  /** Lets an attempt through once its counters allow it and it has a slot under each of its keys. */
  async #admit(attempt: Attempt, password: string, first: FreshState): Promise<Admitted | PasswordRefusal> {
    let continuedUnder: string | undefined;
    try {
      for (let reading = first; ; reading = await this.#readAgain(attempt, reading)) {
        const { state } = reading;
        const refused = refusedUnhashed(state, this.#parts.rules);
        if (refused) return this.#refuseUnhashed(attempt, state.user, refused.reason, refused.wait);
        const cached = attempt.repeated ? this.#cache.find(attempt, password, state.now) : undefined;
        if (cached !== undefined && isValidFor(cached, state.user)) return { state, cached: true };
        // Another attempt ended meanwhile, so the counters are stale.
        if (reading.ended !== this.#inFlight.endedUnder(Object.values(attempt.keys))) continue;
        const full = this.#inFlight.tryAcquire(limitsOf(state, attempt, this.#parts.rules));
        if (full === undefined) return { state, cached: false };
        if (continuedUnder !== full) this.#inFlight.notify(continuedUnder);
        continuedUnder = undefined;
        await this.#inFlight.wait(full, attempt, Math.max(0, attempt.giveUpAt - performance.now()));
        continuedUnder = full;
      }
    } finally {
      // More slots may be free, or nobody needs to wait any longer.
      this.#inFlight.notify(continuedUnder);
    }
  }

  #readAgain(attempt: Attempt, { state }: FreshState): Promise<FreshState> {
    if (performance.now() > attempt.giveUpAt)
      throw new QueueTimeout('held behind other tries past the deadline');
    return this.#read(attempt, state.stored);
  }

  #refuseUnhashed(attempt: Attempt, user: User | undefined, reason: string, wait: number): PasswordRefusal {
    const at = this.#parts.clock();
    // A waiting address sends any number of names that are no user's at no cost: each would be a row of its own.
    const name = reason === 'address-waiting' ? user?.name : nameInEvents(attempt, user);
    this.#parts.tally({ at, kind: 'login-refused', user: name, from: attempt.address, reason });
    const retryAfter = wait > 0 && Number.isFinite(wait) ? Math.ceil(wait / 1_000) : undefined;
    return this.#refuse(attempt, user, reason, retryAfter);
  }

  #refuse(attempt: Attempt, user: User | undefined, reason: string, retryAfter?: number): PasswordRefusal {
    this.#parts.onRefused();
    const told = { reason, user: nameInEvents(attempt, user) };
    return refuse('login_failed', retryAfter === undefined ? told : { ...told, retryAfter });
  }

  /** Verifies the password of an attempt in flight. A failure is counted before its slots are free again. */
  async #verify(
    attempt: Attempt,
    state: ThrottleState,
    password: string,
  ): Promise<Verified | PasswordRefusal> {
    try {
      const request = await this.#requestOf(attempt, state);
      const verdict = await this.#parts.verifier.verify(request, password);
      if (verdict.accepted) {
        // Read again, so that failures counted during the hash are cleared as well.
        const { state: fresh } = await this.#read(attempt, state.stored);
        const admitted = { ...state, user: verdict.learned ?? state.user };
        const verified = await this.#accept(attempt, admitted, fresh, verdict.renewedHash);
        this.#remember(attempt, password, verified);
        return verified;
      }
      await this.#countFailure(attempt);
      return this.#refuse(attempt, state.user, failureReason(state.user));
    } catch (error) {
      if (!(error instanceof VerifierUnavailable)) throw error;
      // Counted as well: otherwise attempts would be unlimited while the verifier is unavailable.
      await this.#countFailure(attempt);
      return refuse('passwords_unavailable', { retryAfter: 5, reason: error.message });
    } finally {
      this.#inFlight.release(Object.values(attempt.keys));
    }
  }

  async #countFailure(attempt: Attempt): Promise<void> {
    const trim = this.#failures % TRIM_EVERY === 0;
    this.#failures += 1;
    try {
      await recordFailure(this.#outcomeOf(attempt), this.#parts.rules, trim);
    } catch (fault) {
      // A success may need no write, so uncounted guesses could find the password while the store cannot write.
      this.#inFlight.retain(Object.values(attempt.keys));
      throw fault;
    }
  }

  /**
   * A lock by hand costs the same work as any refusal: a quick answer would tell that the name exists. For the same reason
   * a stand-in is read each time, needed or not.
   */
  async #requestOf(
    { name, key, address, keys, giveUpAt }: Attempt,
    { user, familiarSince }: ThrottleState,
  ): Promise<VerificationRequest> {
    const standIn = await this.#parts.store.read((unit) => unit.users.near(shareOf(keys.name)));
    const familiar = familiarSince !== undefined;
    return { name, key, address, familiar, user, barred: isLockedByHand(user), standIn, giveUpAt };
  }

  /** `admitted`, the state when the attempt was let through, decides whether it passes a lock; `fresh` decides what is cleared. */
  async #accept(
    attempt: Attempt,
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
    if (!hasSuccessToRecord(fresh, renewedHash)) return verified;
    const { rules, store } = this.#parts;
    const success = { verified: user, passesLock: isLockedOut(admitted, rules), renewedHash, rules };
    const outcome = this.#outcomeOf(attempt);
    const record = (unit: WriteUnit) => recordSuccess(unit, outcome, success);
    if (!attempt.repeated) return { ...verified, recordSuccess: record };
    await store.write(record);
    return verified;
  }

  #outcomeOf(attempt: Attempt): LoginOutcome {
    return { ...this.#parts, attempt, now: this.#parts.clock() };
  }

  #remember(attempt: Attempt, password: string, { userId, passwordHash }: Verified): void {
    if (passwordHash === undefined) return;
    this.#cache.add(attempt, password, { userId, passwordHash, keys: attempt.keys }, this.#parts.clock());
  }
}
