import { hash, randomBytes } from 'node:crypto';
import { isLockedByHand, type User } from '../domain/user.ts';
import type { StoredThrottleState } from '../storage/store.ts';
import type { Attempt } from './throttle-state.ts';

const FOR = 60_000;
const MOST = 10_000;

/** A pair that was verified: of whom, against which hash, and under which counters it stands. */
export interface VerifiedCredential extends Pick<Attempt, 'keys'> {
  readonly userId: number;
  readonly passwordHash: string;
  /** How a try with it stood when it was found to hold last. */
  standing?: StoredThrottleState;
}

/** From where a pair comes, and what name is in it. */
type From = Pick<Attempt, 'key' | 'address'>;

/**
 * Caches names and passwords that were verified from an address within the last minute, so that `Basic` on each request
 * does not cost a hash each time. Keyed by a digest over a secret of this process too, and bound to the stored hash:
 * another hash for the user means that the pair is to be verified again. Holds no passwords.
 */
export class VerifiedCredentialCache {
  readonly #secret = randomBytes(32).toString('base64');
  readonly #pairs = new Map<string, { readonly pair: VerifiedCredential; readonly until: number }>();

  /** The pair, if it was verified from there within the last minute. `now` is in milliseconds. */
  find(from: From, password: string, now: number): VerifiedCredential | undefined {
    const kept = this.#pairs.get(this.#digest(from, password));
    // A pair of which more than the minute is left was kept while the clock was ahead.
    return kept !== undefined && kept.until > now && kept.until - now <= FOR ? kept.pair : undefined;
  }

  remember(from: From, password: string, pair: VerifiedCredential, now: number): void {
    const digest = this.#digest(from, password);
    this.#pairs.delete(digest);
    this.#pairs.set(digest, { pair, until: now + FOR });
    for (const [oldest, { until }] of this.#pairs) {
      if (until > now && this.#pairs.size <= MOST) break;
      this.#pairs.delete(oldest);
    }
  }

  #digest({ key, address }: From, password: string): string {
    // No HMAC, which takes four times as long: nobody sees a digest who could lengthen what it is of.
    const text = `${this.#secret}${address} ${key.length} ${key}${password.normalize('NFC')}`;
    return hash('sha256', text, 'base64');
  }
}

/** Whether a remembered pair is still that of this user, who may still enter. */
export function holds({ userId, passwordHash }: VerifiedCredential, user: User | undefined): boolean {
  if (user === undefined || user.disabled || isLockedByHand(user)) return false;
  return user.id === userId && user.passwordHash === passwordHash;
}
