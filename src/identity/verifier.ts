import { randomBytes } from 'node:crypto';
import type { Refusal } from '../domain/refusal.ts';
import type { User } from '../domain/user.ts';
import type { MaybePromise } from '../maybe-promise.ts';
import type { ReadUnit, WriteUnit } from '../storage/store.ts';
import type { HashPool } from './hash-queue.ts';
import {
  costOf,
  type HashCost,
  type HashedAs,
  hasCost,
  hashPassword,
  verifyPassword,
  verifyStored,
} from './password-hash.ts';

/** What a verifier says of one password. */
export type PasswordVerdict =
  | { readonly accepted: false }
  | {
      readonly accepted: true;
      /** A hash to keep instead of the stored one, which was made elsewhere or with other parameters. */
      readonly renewedHash?: string;
      /** The user that the password was found to be of, where it was not known before. */
      readonly learned?: User;
    };

/** Whose password a verifier is asked about. */
export interface PasswordQuestion {
  /** As it was typed. */
  readonly name: string;
  /** As names are compared. */
  readonly key: string;
  /** Where the request came from. */
  readonly address: string;
  /** Whether the address logged this user in before, and has not failed since. */
  readonly familiar: boolean;
  readonly user: User | undefined;
  /** Whether the user is kept out whatever the password: it is refused, after the same work. */
  readonly barred: boolean;
  /** The user whose hash tells what a refusal costs, where the name has no hash. */
  readonly standIn?: User | undefined;
  /** Until when a turn is waited for, as `performance.now()` tells time; where nobody says, the queue decides. */
  readonly giveUpAt?: number | undefined;
}

/**
 * Who vouches for a password. Takes the same time for an unknown or disabled user as for a known one, and throws
 * `QueueTimeout` when it cannot come to it in time, {@link VerifierUnavailable} when it has to ask in vain.
 */
export interface Verifier {
  vouch(asked: PasswordQuestion, password: string): Promise<PasswordVerdict>;
}

/** Thrown when somebody else has to be asked about a password, who cannot answer: the caller is answered 503. */
export class VerifierUnavailable extends Error {
  override name = 'VerifierUnavailable';
}

/** A user whose password was found right, to be confirmed in the transaction that rests on it. */
export interface Verified {
  readonly userId: number;
  /** The user's generation then: a password change raises it, and the renewal of a hash does not. */
  readonly generation: number;
  /** The stored hash that the password was verified against, or the one that renews it. */
  readonly passwordHash: string | undefined;
  /** Writes what the success changes, for the unit that rests on it to call first; missing where nothing is left to write. */
  readonly settle?: (unit: WriteUnit) => Promise<void>;
}

/** Refusals of the one password check. */
export type PasswordRefusal = Refusal<
  'password_missing' | 'password_too_long' | 'login_failed' | 'passwords_unavailable' | 'hash_queue_full'
>;

/** The one password check, bound to the client that a request came from (`wire.md` section 5). */
export interface Passwords {
  /** For logins: what a success changes is left to the unit that issues the ticket, so that both share a commit. */
  check(name: string, password: string | undefined): Promise<Verified | PasswordRefusal>;
  /**
   * For callers that present the pair on each request: one that was verified from the same address within the last
   * minute skips the hash. What a success changes is written when this resolves.
   */
  checkRepeated(name: string, password: string): Promise<Verified | PasswordRefusal>;
  /**
   * The user that `checkRepeated` would find, as it is in this unit, where nothing has to be hashed, refused or written
   * for that.
   */
  fromCache(unit: Pick<ReadUnit, 'attempts'>, name: string, password: string): MaybePromise<User | undefined>;
}

const REFUSED: PasswordVerdict = { accepted: false };

/** Whether a check of this hash is less work than one at today's cost. */
function isCheaper(passwordHash: string, cost: HashCost): boolean {
  const made = costOf(passwordHash);
  return made === undefined || made.memory * made.passes < cost.memory * cost.passes;
}

/** A verifier, and when it has made what it needs. */
interface LocalVerifier extends Verifier {
  /** Rejects when no hash can be made here. */
  readonly ready: Promise<unknown>;
}

/** The verifier over the hashes in the store. Every refusal costs at least one hash at today's cost. */
export function localVerifier(pool: HashPool, cost: HashCost): LocalVerifier {
  // No mark composes with the dot at its end: a password behind it takes as many spellings as it does alone.
  const secret = `${randomBytes(32).toString('base64')}.`;
  // Begun now, so that it is there when the first unknown name comes.
  const nobodys = hashPassword(secret, cost);
  nobodys.catch(() => undefined);
  /** How it was hashed if it is right; nothing otherwise, after at least the work of one hash at today's cost. */
  const verified = async (stored: string, password: string): Promise<HashedAs | undefined> => {
    const hashed = await verifyStored(stored, password);
    if (hashed === undefined && isCheaper(stored, cost)) await verifyPassword(await nobodys, password);
    return hashed;
  };
  const judged = async (asked: PasswordQuestion, password: string): Promise<PasswordVerdict> => {
    const stored = asked.user?.passwordHash;
    if (stored === undefined || asked.user?.disabled || asked.barred) {
      // Made wrong for certain: the work must not tell that it would be right.
      await verified(stored ?? asked.standIn?.passwordHash ?? (await nobodys), secret + password);
      return REFUSED;
    }
    const hashed = await verified(stored, password);
    if (hashed === undefined) return REFUSED;
    if (hashed === 'here' && hasCost(stored, cost)) return { accepted: true };
    return { accepted: true, renewedHash: await hashPassword(password, cost) };
  };
  return {
    ready: nobodys,
    vouch: (asked, password) => pool.run(() => judged(asked, password), asked, asked.giveUpAt),
  };
}
