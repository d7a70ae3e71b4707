import type { Event } from '../domain/event.ts';
import { longestWait } from '../domain/lockout.ts';
import { refuse } from '../domain/refusal.ts';
import { type RequestClient, requestOriginOf } from '../domain/request-origin.ts';
import type { FactorsOfPrograms } from '../domain/second-factor.ts';
import { ticketSourceOf } from '../domain/ticket-source.ts';
import { isLocked, isPasswordless, isPossibleName, type User, userKey } from '../domain/user.ts';
import { chain, type MaybePromise } from '../maybe-promise.ts';
import type { ReadUnit, Store, WriteUnit } from '../storage/store.ts';
import { checkFactor, checkSignIn } from './further-attempts.ts';
import { Admission, inTime } from './in-flight-attempts.ts';
import { takeLinkRequest } from './link-requests.ts';
import type { HashNewPassword, JudgeNewPassword } from './new-password.ts';
import { isFarTooLong, isTooLong } from './password-hash.ts';
import type { AcceptedUser, PasswordRefusal, Passwords, Verified } from './passwords.ts';
import {
  failureReason,
  type LoginOutcome,
  nameInEvents,
  QueueRefusals,
  recordFailure,
  recordSuccess,
} from './record-login-outcome.ts';
import {
  type Attempt,
  counterKeys,
  hasSuccessToRecord,
  isLockedOut,
  type KeysOf,
  type Rules,
  shareOf,
  type ThrottleState,
  type UnhashedRefusal,
} from './throttle-state.ts';
import { isValidFor, userOf, VerifiedCredentialCache } from './verified-credential-cache.ts';
import {
  acceptedIn,
  ownerOf,
  type PasswordVerdict,
  requestOf,
  type VerificationRequest,
  type Verifier,
  VerifierUnavailable,
  verdictOf,
} from './verifiers/verifier.ts';

const MINUTE = 60_000;
/** How many sources are counted at a time. Beyond that the oldest are forgotten. */
const MOST_SOURCES = 10_000;

/** Limits the tickets of users without a password: per minute and source. */
class PasswordlessLogins {
  readonly #aMinute: number;
  readonly #counts = new Map<string, number>();
  #minute = 0;

  /** A source gets `aMinute` tickets in a minute; any number if that is 0. */
  constructor(aMinute: number) {
    this.#aMinute = aMinute;
  }

  /** Counts a ticket and returns 0. If the source has none left, returns the milliseconds until it gets the next one. */
  wait(address: string, now: number): number {
    const minute = Math.floor(now / MINUTE);
    if (minute !== this.#minute) this.#counts.clear();
    this.#minute = minute;
    const source = ticketSourceOf(address);
    const count = this.#counts.get(source) ?? 0;
    if (this.#aMinute > 0 && count >= this.#aMinute) return (minute + 1) * MINUTE - now;
    this.#counts.set(source, count + 1);
    const [first] = this.#counts.keys();
    if (first !== undefined && this.#counts.size > MOST_SOURCES) this.#counts.delete(first);
    return 0;
  }
}

type AcceptedPassword = Extract<PasswordVerdict, { readonly accepted: true }>;
type WithPassword = { readonly withPassword: boolean };

/** The counters are trimmed to their limit once in so many failures. */
const TRIM_EVERY = 1_000;

/** What the password check works with. */
interface PasswordCheckParts extends FactorsOfPrograms {
  readonly store: Store;
  /** In the order in which they are asked. */
  readonly verifiers: readonly Verifier[];
  readonly hashNew: HashNewPassword;
  readonly judgeNew: JudgeNewPassword;
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
  /** Called for each name that failures lock out. */
  readonly onLockedOut: () => void;
  /** Counts an attempt that was refused without hashing. */
  readonly tally: (event: Event) => void;
  /** Called when an event could not be written. */
  readonly onFault: (fault: unknown) => void;
}

/** The one password check of every login: first throttle and lock-out, then the hash queue, then the counters. */
export class PasswordCheck {
  readonly #parts: PasswordCheckParts;
  readonly #keysOf: KeysOf;
  readonly #admission: Admission;
  readonly #queueRefusals: QueueRefusals;
  readonly #onAddressFull = (attempt: Attempt) => this.#queueRefusals.count(attempt);
  readonly #passwordless: PasswordlessLogins;
  readonly #cache = new VerifiedCredentialCache();
  #failures = 0;

  constructor(parts: PasswordCheckParts) {
    this.#parts = parts;
    this.#keysOf = counterKeys(parts.throttleKey);
    this.#admission = new Admission(parts);
    this.#passwordless = new PasswordlessLogins(parts.ticketsWithoutPassword);
    this.#queueRefusals = new QueueRefusals({ ...parts, rule: parts.rules.address });
  }

  /** The check for requests of this client. */
  from(client: RequestClient): Passwords {
    const attemptOf = (name: string) => this.#attemptOf(name, client);
    return {
      check: (name, password) => this.#check(attemptOf(name), password),
      checkOnPage: (name, password) => this.#check({ ...attemptOf(name), onPage: true }, password),
      checkRepeated: (name, password) => this.#check({ ...attemptOf(name), repeated: true }, password),
      withoutHash: (unit, name, password) => this.#withoutHash(unit, name, client, password),
      checkFactor: async (name, judge, factor) => {
        const userName = typeof name === 'string' ? name : await this.#parts.store.read(name);
        const attempt = { ...attemptOf(userName), onPage: true };
        return inTime(attempt, this.#onAddressFull, () => checkFactor(attempt, judge, factor, this.#tools()));
      },
      checkSignIn: (signIn, check) =>
        checkSignIn(signIn, check, attemptOf, this.#onAddressFull, this.#tools()),
      takeLinkRequest: (name) => takeLinkRequest(attemptOf(name), this.#parts),
      hashNew: (name, password) => this.#parts.hashNew({ ...attemptOf(name), familiar: true }, password),
      judgeNew: (name, password) => this.#parts.judgeNew(attemptOf(name), password),
    };
  }

  #attemptOf(name: string, { address, userAgent }: RequestClient): Attempt {
    const key = userKey(name, this.#parts.namesCaseSensitive);
    const keys = this.#keysOf(key, address);
    const giveUpAt = performance.now() + this.#parts.deadline;
    return { name, key, address, userAgent, repeated: false, onPage: false, keys, giveUpAt };
  }

  #check(attempt: Attempt, password: string | undefined): Promise<Verified | PasswordRefusal> {
    return inTime(attempt, this.#onAddressFull, async () => {
      const first = await this.#admission.read(attempt);
      const { user } = first.state;
      if (user && isPasswordless(user) && !user.disabled) return this.#checkPasswordless(attempt, user);
      if (password === undefined) return refuse('password_missing');
      if (isTooLong(password)) return refuse('password_too_long');
      const decision = await this.#admission.decide(attempt, first, (at) =>
        this.#isCached(attempt, password, at),
      );
      const { state, refused, cached } = decision;
      if (refused) return this.#refuseUnhashed(attempt, state.user, refused);
      if (cached) return await this.#accept(attempt, state, state, {});
      return await this.#verify(attempt, state, password);
    });
  }

  /** What the check of a second factor counts attempts with. */
  #tools() {
    return {
      ...this.#parts,
      admission: this.#admission,
      refuseUnhashed: this.#refuseUnhashed.bind(this),
      refuse: this.#refuse.bind(this),
      countFailure: this.#countFailure.bind(this),
      accept: (...of: [Attempt, ThrottleState, ThrottleState, WithPassword]) => this.#accept(...of),
    };
  }

  #withoutHash(
    unit: ReadUnit,
    name: string,
    client: RequestClient,
    password: string,
  ): MaybePromise<AcceptedUser | undefined> {
    if (isFarTooLong(password)) return undefined;
    const { namesCaseSensitive, clock, rules, verifiers } = this.#parts;
    const now = clock();
    const owner = ownerOf(verifiers, password);
    if (owner !== undefined)
      return acceptedIn(unit, owner, this.#attemptOf(name, client), password, rules, now);
    const key = userKey(name, namesCaseSensitive);
    const { address } = client;
    const cached = this.#cache.find({ key, address }, password, now);
    // A name that no user can have may have the same key as the name of a user.
    if (cached === undefined || !isPossibleName(name)) return undefined;
    const found = userOf(cached, unit, { name, key, address }, rules, now);
    return chain(found, (user) => user && { user, appPassword: undefined });
  }

  #checkPasswordless(attempt: Attempt, user: User): Verified | PasswordRefusal {
    const now = this.#parts.clock();
    if (isLocked(user, now, longestWait(this.#parts.rules.name)))
      return this.#refuseUnhashed(attempt, user, { reason: 'locked', wait: 0 });
    // A request with name and password gets no ticket.
    const wait = attempt.repeated ? 0 : this.#passwordless.wait(attempt.address, now);
    if (wait > 0)
      return this.#refuseUnhashed(attempt, user, { reason: 'too many tickets from this address', wait });
    return { userId: user.id, generation: user.generation, passwordHash: undefined, methods: [] };
  }

  #isCached(attempt: Attempt, password: string, { user, now }: ThrottleState): boolean {
    const cached = attempt.repeated ? this.#cache.find(attempt, password, now) : undefined;
    return cached !== undefined && isValidFor(cached, user);
  }

  #refuseUnhashed(
    attempt: Attempt,
    user: User | undefined,
    { reason, wait }: UnhashedRefusal,
  ): PasswordRefusal {
    const at = this.#parts.clock();
    // A waiting address sends any number of names that are no user's at no cost: each would be a row of its own.
    const name = reason === 'address-waiting' ? user?.name : nameInEvents(attempt, user);
    this.#parts.tally({ at, kind: 'login-refused', user: name, ...requestOriginOf(attempt), reason });
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
      const standIn = () => this.#parts.store.read(({ users }) => users.near(shareOf(attempt.keys.name)));
      const verdict = await this.#verdictOn({ ...requestOf(attempt, state), standIn }, password);
      if (verdict.accepted) {
        // Read again, so that failures counted during the hash are cleared as well. An app password needs no hash.
        const { state: fresh } =
          verdict.appPassword === undefined ? await this.#admission.read(attempt, state.stored) : { state };
        const admitted = { ...state, user: verdict.learned ?? state.user };
        const verified = await this.#accept(attempt, admitted, fresh, verdict);
        // An app password has to be looked up each time.
        if (attempt.repeated && verified.appPassword === undefined)
          this.#remember(attempt, password, verified);
        return verified;
      }
      const { reason = failureReason(state.user) } = verdict;
      await this.#countFailure(attempt, reason);
      return this.#refuse(attempt, state.user, reason);
    } catch (error) {
      if (!(error instanceof VerifierUnavailable)) throw error;
      // Counted as well, if a password may have been checked: otherwise attempts would be unlimited while the server is down.
      if (error.counts) await this.#countFailure(attempt, failureReason(state.user));
      return refuse('passwords_unavailable', { retryAfter: 5, reason: error.message });
    } finally {
      this.#admission.end(attempt);
    }
  }

  /** The verdict of the verifiers. A right password alone is refused if programs of the user need an app password. */
  async #verdictOn(request: VerificationRequest, password: string): Promise<PasswordVerdict> {
    const verdict = await verdictOf(this.#parts.verifiers, request, password);
    if (!verdict.accepted || verdict.appPassword !== undefined || request.onPage) return verdict;
    const user = (verdict.learned ?? request.user) as User;
    const { asksSecondFactor, refusesWithoutFactor } = this.#parts;
    if (user.hasSecondFactor)
      return asksSecondFactor ? { accepted: false, reason: 'second-factor-needed' } : verdict;
    const isRefused = (await refusesWithoutFactor?.(user)) ?? false;
    return isRefused ? { accepted: false, reason: 'second-factor-required' } : verdict;
  }

  async #countFailure(attempt: Attempt, reason: string): Promise<void> {
    const trim = this.#failures % TRIM_EVERY === 0;
    this.#failures += 1;
    try {
      const locked = await recordFailure(this.#outcomeOf(attempt), this.#parts.rules, reason, trim);
      if (locked) this.#parts.onLockedOut();
    } catch (fault) {
      // A success may need no write, so uncounted guesses could find the password while the store cannot write.
      this.#admission.retainFailure(attempt);
      throw fault;
    }
  }

  /** `admitted`, the state when the attempt was let through, decides whether it passes a lock; `fresh` decides what is cleared. */
  async #accept(
    attempt: Attempt,
    admitted: ThrottleState,
    fresh: ThrottleState,
    {
      renewedHash,
      appPassword,
      isKeptIn,
      loginReason,
      withPassword = appPassword === undefined,
    }: Partial<AcceptedPassword & WithPassword>,
  ): Promise<Verified> {
    const user = admitted.user as User;
    const verified: Verified = {
      userId: user.id,
      generation: user.generation,
      passwordHash: renewedHash ?? user.passwordHash,
      methods: ['pwd'],
      ...(appPassword && { appPassword: appPassword.name }),
      ...(isKeptIn && { isKeptIn }),
      ...(loginReason && { loginReason }),
    };
    if (!hasSuccessToRecord(fresh, renewedHash)) return verified;
    const { rules, store } = this.#parts;
    const success = {
      verified: user,
      passesLock: isLockedOut(admitted, rules),
      tellsPlace: withPassword && admitted.familiarSince === undefined,
      renewedHash,
      rules,
    };
    const outcome = this.#outcomeOf(attempt);
    const record = (unit: WriteUnit) => recordSuccess(unit, outcome, success);
    if (!attempt.repeated) return { ...verified, recordSuccess: record };
    await store.write(record);
    return verified;
  }

  #outcomeOf(attempt: Attempt): LoginOutcome {
    return { ...this.#parts, attempt, now: this.#parts.clock() };
  }

  #remember(attempt: Attempt, password: string, { userId, passwordHash, generation }: Verified): void {
    const credential = { userId, passwordHash, generation, keys: attempt.keys };
    this.#cache.add(attempt, password, credential, this.#parts.clock());
  }
}
