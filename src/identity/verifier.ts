import type { PasswordFault } from '../domain/password-fault.ts';
import type { Refusal } from '../domain/refusal.ts';
import type { User } from '../domain/user.ts';
import type { MaybePromise } from '../maybe-promise.ts';
import type { ReadUnit, WriteUnit } from '../storage/store.ts';

/** Whether a password was right. */
export type PasswordVerdict =
  | { readonly accepted: false }
  | {
      readonly accepted: true;
      /** A hash to store instead of the old one, which another system or other parameters made. */
      readonly renewedHash?: string;
      /** The user that was added because the old server accepted the password. */
      readonly learned?: User;
    };

/** The login that a password belongs to. */
export interface VerificationRequest {
  /** As it was typed. */
  readonly name: string;
  /** In the form in which names are compared. */
  readonly key: string;
  /** The client's address. */
  readonly address: string;
  /** Whether this user logged in from the address before, without a failure there since. */
  readonly familiar: boolean;
  readonly user: User | undefined;
  /** Whether the user is refused with any password, after the same work. */
  readonly barred: boolean;
  /** A user whose hash is computed instead, if the name has none. */
  readonly standIn?: User | undefined;
  /** Until when the check may wait for its turn, as `performance.now()` counts. Without it the deadline of the queue holds. */
  readonly giveUpAt?: number | undefined;
}

/**
 * Verifies passwords. It takes the same time for an unknown or disabled user as for a known one. Throws `QueueTimeout` when
 * its turn does not come in time, and {@link VerifierUnavailable} when a server it depends on does not answer.
 */
export interface Verifier {
  verify(request: VerificationRequest, password: string): Promise<PasswordVerdict>;
}

/** Thrown when another server has to check the password and does not answer. The client gets 503. */
export class VerifierUnavailable extends Error {
  override name = 'VerifierUnavailable';
}

/** A user whose password was right. The transaction that relies on it has to confirm that the user is still the same. */
export interface Verified {
  readonly userId: number;
  /** The user's generation at that time. A password change raises it; the renewal of a hash does not. */
  readonly generation: number;
  /** The stored hash that the password was verified against, or its renewal. */
  readonly passwordHash: string | undefined;
  /** Writes what the success changes. The write unit that relies on it calls this first. Missing if there is nothing to write. */
  readonly recordSuccess?: (unit: WriteUnit) => Promise<void>;
}

/** Refusals of the password check. */
export type PasswordRefusal = Refusal<
  'password_missing' | 'password_too_long' | 'login_failed' | 'passwords_unavailable' | 'hash_queue_full'
>;

/** Refusals of a new password. */
export type NewPasswordRefusal = Refusal<'new_password_refused' | 'hash_queue_full'>;

/** The password check, for requests from one address (`wire.md` section 5). */
export interface Passwords {
  /** For logins. The write unit that issues the ticket also writes what the success changes, in the same commit. */
  check(name: string, password: string | undefined): Promise<Verified | PasswordRefusal>;
  /**
   * For clients that send name and password with each request. If they were verified from the same address within the last
   * minute, no hash is needed. What a success changes is written when this resolves.
   */
  checkRepeated(name: string, password: string): Promise<Verified | PasswordRefusal>;
  /**
   * The user that `checkRepeated` would accept, as it is in this unit. Undefined if that needs a hash or a write, or if the
   * password would be refused.
   */
  fromCache(unit: Pick<ReadUnit, 'attempts'>, name: string, password: string): MaybePromise<User | undefined>;
  /** The hash of a new password for the user of this name, made in the hash queue; or why the rules refuse the password. */
  hashNew(name: string, password: string): Promise<string | NewPasswordRefusal>;
  /**
   * Why the rules refuse a new password for the user of this name; undefined if they accept it. Nothing is hashed, so it can
   * be asked while somebody types. Refused if all users together ask too often.
   */
  judgeNew(name: string, password: string): Promise<PasswordFault | undefined | Refusal<'hash_queue_full'>>;
}
