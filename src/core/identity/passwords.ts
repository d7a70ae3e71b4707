import type { PasswordFault } from '../domain/password-fault.ts';
import type { Refusal } from '../domain/refusal.ts';
import type { AuthenticationMethod, Digest } from '../domain/ticket.ts';
import type { User } from '../domain/user.ts';
import type { MaybePromise } from '../maybe-promise.ts';
import type { ReadUnit, WriteUnit } from '../storage/store.ts';

/** A user whose password was right. The transaction that relies on it has to confirm that the user is still the same. */
export interface Verified {
  readonly userId: number;
  /** The user's generation at that time. A password change raises it; the renewal of a hash does not. */
  readonly generation: number;
  /** The stored hash that the password was verified against, or its renewal. */
  readonly passwordHash: string | undefined;
  /** The identity provider that the user comes from, by its id; absent after a password. */
  readonly provider?: string;
  /** The provider, by its id, if its access token was presented, as programs do. */
  readonly tokenProvider?: string;
  /** The name of the app password that it was. */
  readonly appPassword?: string;
  /** The reason in the event of the login, if it tells of neither a provider nor an app password. */
  readonly loginReason?: string | undefined;
  /** The name of the application that presented an access token of this service, or gets a ticket for itself. */
  readonly application?: string;
  /** How the user proved who it is; empty if that is not known. */
  readonly methods: readonly AuthenticationMethod[];
  /** When the user signed in, if that was before: in epoch milliseconds. The age of the ticket counts from then. */
  readonly signedInAt?: number;
  /** The digest of what its ticket ends with: of a session at an identity provider, or of another ticket. */
  readonly parent?: Digest | undefined;
  /** Whether that app password is still kept in this unit. It outlives the user's own password. */
  readonly isKeptIn?: (unit: ReadUnit) => Promise<boolean>;
  /** Writes what the success changes. The write unit that relies on it calls this first. Missing if there is nothing to write. */
  readonly recordSuccess?: (unit: WriteUnit) => Promise<void>;
}

/** A second factor that is wrong for this reason, which the events tell. */
export interface WrongFactor {
  readonly wrong: string;
}

/** Judges what a user gave as second factor. Undefined if it is wrong for the usual reason. */
export type JudgeFactor<J> = (unit: ReadUnit, user: User) => Promise<J | WrongFactor | undefined>;

/** What is given as second factor. */
export interface FactorToCheck {
  /** The usual reason in the events, if it is wrong. */
  readonly wrong: string;
  /** Whether it is a code: one of an authenticator app has six digits, a recovery code cannot be guessed. Absent for a passkey. */
  readonly code?: 'guessable' | 'recovery';
}

/** A user whose second factor was right. The unit that relies on it confirms the user and spends the factor. */
export interface CheckedFactor<J> {
  readonly verified: Verified;
  readonly judged: J;
}

/** A user who is accepted in a unit, by its own password or by the app password of this name. */
export interface AcceptedUser {
  readonly user: User;
  readonly appPassword: string | undefined;
}

/** Refusals of the password check. */
export type PasswordRefusal = Refusal<
  'password_missing' | 'password_too_long' | 'login_failed' | 'passwords_unavailable' | 'hash_queue_full'
>;

/** Refusals of a second factor. */
export type FactorRefusal = PasswordRefusal | Refusal<'codes_locked'>;

/** Refusals of a new password. */
export type NewPasswordRefusal = Refusal<'new_password_refused' | 'hash_queue_full'>;

/** The password check, for requests of one client (specification, section 5). */
export interface Passwords {
  /**
   * For logins of programs. The write unit that issues the ticket also writes what the success changes, in the same commit. A
   * user with a second factor is refused as for a wrong password: programs of such a user have app passwords.
   */
  check(name: string, password: string | undefined): Promise<Verified | PasswordRefusal>;
  /** As `check`, for sign-ins on pages. No app password is right there, and the page asks for the second factor. */
  checkOnPage(name: string, password: string | undefined): Promise<Verified | PasswordRefusal>;
  /**
   * For clients that send name and password with each request. If they were verified from the same address within the last
   * minute, or by an app password, no hash is needed. What a success changes is written when this resolves.
   */
  checkRepeated(name: string, password: string): Promise<Verified | PasswordRefusal>;
  /**
   * The user that `checkRepeated` would accept, as it is in this unit, and by which app password. Undefined if that needs a
   * hash or a write, or if the password would be refused.
   */
  withoutHash(unit: ReadUnit, name: string, password: string): MaybePromise<AcceptedUser | undefined>;
  /**
   * Checks a second factor of the user of this name, whose password was right before, or what replaces the password: as a
   * further attempt, which is counted. `judge` tells what was given, or that it is wrong. The name may have to be looked up. The refusal is that of a wrong
   * password; `codes_locked` once so many codes were wrong that only another factor or an administrator helps.
   */
  checkFactor<J extends object>(
    name: string | ((unit: ReadUnit) => Promise<string>),
    judge: JudgeFactor<J>,
    factor: FactorToCheck,
  ): Promise<CheckedFactor<J> | FactorRefusal>;
  /**
   * Checks the answer of an identity provider to the sign-in of this state, as a further attempt of the address. A refusal because
   * the answer proves nothing counts as a failure there. With a `lifetime` in milliseconds the state is used up for so long,
   * by whichever process: a second answer to it is refused, `sign_in_outdated`.
   */
  checkSignIn<T extends object | undefined>(
    attempt: { readonly state: string; readonly lifetime: number },
    check: () => Promise<T>,
  ): Promise<T | PasswordRefusal | Refusal<'sign_in_outdated'>>;
  /**
   * Counts a request for a link to choose a password, of whatever name: whether the name and the address of the client have had few
   * enough of them in the last hour. It costs the same whether a user has the name.
   */
  takeLinkRequest(name: string): Promise<boolean>;
  /** The hash of a new password for the user of this name, made in the hash queue; or why the rules refuse the password. */
  hashNew(name: string, password: string): Promise<string | NewPasswordRefusal>;
  /**
   * Why the rules refuse a new password for the user of this name; undefined if they accept it. Nothing is hashed, so it can
   * be asked while a user types. Refused if the new
   * passwords of this user are too many.
   */
  judgeNew(name: string, password: string): Promise<PasswordFault | undefined | Refusal<'hash_queue_full'>>;
}
