import { hash, randomBytes } from 'node:crypto';

const FOR = 60_000;
const MOST = 10_000;

/**
 * Pairs of name and password that were verified within the last minute, so that `Basic` on each request does not
 * cost a hash each time. Keyed by a digest over a secret of this process too, and bound to the stored hash: another
 * hash for the user means that the pair is to be verified again. Holds neither names nor passwords.
 */
export class RememberedPairs {
  readonly #secret = randomBytes(32).toString('base64');
  readonly #pairs = new Map<string, { readonly passwordHash: string; readonly until: number }>();

  /** Whether this pair was verified against this hash within the last minute. `now` is in milliseconds. */
  has(userId: number, password: string, passwordHash: string, now: number): boolean {
    const pair = this.#pairs.get(this.#digest(userId, password));
    return pair !== undefined && pair.until > now && pair.passwordHash === passwordHash;
  }

  remember(userId: number, password: string, passwordHash: string, now: number): void {
    const digest = this.#digest(userId, password);
    this.#pairs.delete(digest);
    this.#pairs.set(digest, { passwordHash, until: now + FOR });
    for (const [oldest, { until }] of this.#pairs) {
      if (until > now && this.#pairs.size <= MOST) break;
      this.#pairs.delete(oldest);
    }
  }

  #digest(userId: number, password: string): string {
    // No HMAC, which takes four times as long: nobody sees a digest who could lengthen what it is of.
    return hash('sha256', `${this.#secret}${userId}\0${password.normalize('NFC')}`, 'base64');
  }
}
