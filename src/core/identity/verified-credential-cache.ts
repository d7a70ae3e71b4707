import { hash, randomBytes } from 'node:crypto';
import { isLockedByHand, type User } from '../domain/user.ts';
import { chain, type MaybePromise } from '../maybe-promise.ts';
import type { ReadUnit, StoredThrottleState } from '../storage/store.ts';
import {
  type Attempt,
  hasSuccessToRecord,
  type Rules,
  readThrottleState,
  refusedUnhashed,
} from './throttle-state.ts';

/** Milliseconds that a credential stays in the cache. */
const LIFETIME = 60_000;
const MOST = 10_000;

/** A name and password that were right: the user, the hash they were verified against, and the keys of the counters. */
interface VerifiedCredential extends Pick<Attempt, 'keys'> {
  readonly userId: number;
  /** Undefined for a user of a provider: then the generation tells whether the user is still the same. */
  readonly passwordHash: string | undefined;
  readonly generation: number;
  /** The throttle state under which the credential was last found valid. */
  validUnder?: StoredThrottleState;
}

/** Who sent a credential, and from where. */
type Sender = Pick<Attempt, 'key' | 'address'>;

/**
 * Caches names and passwords that were verified from an address within the last minute, so that `Basic` on each request
 * does not cost a hash each time. It holds no passwords: its keys are digests that include a secret of this process. An
 * entry is valid for one stored hash; once the user has another hash, the password is verified again. So it is for a user of
 * a provider after a change that raises its generation.
 */
export class VerifiedCredentialCache {
  readonly #secret = randomBytes(32).toString('base64');
  readonly #entries = new Map<string, { readonly credential: VerifiedCredential; readonly until: number }>();

  /** The credential, if it was verified from this address within the last minute. `now` is in epoch milliseconds. */
  find(sender: Sender, password: string, now: number): VerifiedCredential | undefined {
    const entry = this.#entries.get(this.#digest(sender, password));
    // An entry with more than its lifetime left was added while the clock was ahead.
    return entry !== undefined && entry.until > now && entry.until - now <= LIFETIME
      ? entry.credential
      : undefined;
  }

  add(sender: Sender, password: string, credential: VerifiedCredential, now: number): void {
    const digest = this.#digest(sender, password);
    this.#entries.delete(digest);
    this.#entries.set(digest, { credential, until: now + LIFETIME });
    for (const [oldest, { until }] of this.#entries) {
      if (until > now && this.#entries.size <= MOST) break;
      this.#entries.delete(oldest);
    }
  }

  #digest({ key, address }: Sender, password: string): string {
    // An HMAC takes four times as long, and is not needed: no attacker sees a digest that could be extended.
    const text = `${this.#secret}${address} ${key.length} ${key}${password.normalize('NFC')}`;
    return hash('sha256', text, 'base64');
  }
}

/** Whether a cached credential still belongs to this user, and the user may still log in. */
export function isValidFor(
  { userId, passwordHash, generation }: VerifiedCredential,
  user: User | undefined,
): boolean {
  if (user === undefined || user.disabled || isLockedByHand(user)) return false;
  // A password alone may not be enough any more.
  if (user.hasSecondFactor || user.id !== userId || user.passwordHash !== passwordHash) return false;
  return passwordHash !== undefined || user.generation === generation;
}

/**
 * The user of a cached credential, as it is in this unit. Undefined if the credential is no longer valid, or if an attempt
 * with it would be refused or has something to write.
 */
export function userOf(
  cached: VerifiedCredential,
  unit: Pick<ReadUnit, 'attempts'>,
  login: Pick<Attempt, 'name' | 'key' | 'address'>,
  rules: Rules,
  now: number,
): MaybePromise<User | undefined> {
  const { keys, validUnder: before } = cached;
  return chain(readThrottleState(unit, { ...login, keys }, now, before), (state) => {
    if (state.stored !== before && !isValidFor(cached, state.user)) return undefined;
    cached.validUnder = state.stored;
    if (refusedUnhashed(state, rules) || hasSuccessToRecord(state, undefined)) return undefined;
    return state.user;
  });
}
