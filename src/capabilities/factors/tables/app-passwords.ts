import type { AppPassword } from '../../../core/domain/app-password.ts';

export interface AppPasswordsRead {
  find(userId: number, name: string): Promise<AppPassword | undefined>;
  findByDigest(digest: Buffer): Promise<AppPassword | undefined>;
  /** The app passwords of the user, sorted by name in the order of code points. */
  ofUser(userId: number): Promise<AppPassword[]>;
  /** Up to `limit` that expired at `now` or before, in epoch milliseconds: the first to expire first. */
  expired(now: number, limit: number): Promise<AppPassword[]>;
}

/** `people/` decides who may have one, and ends the tickets of a removed one. */
export interface AppPasswords extends AppPasswordsRead {
  /** Adds an app password; returns false, and changes nothing, when the user has one of this name, or the digest is known. */
  add(appPassword: AppPassword): Promise<boolean>;
  /** Removes the user's app password of this name; returns whether there was one. */
  remove(userId: number, name: string): Promise<boolean>;
  /** Moves the last use forward to `at`; never back. */
  use(digest: Buffer, at: number): Promise<void>;
}
