import type { BrowserCookie } from '../../../../core/answer.ts';
import type { BrowserContext } from '../../../../core/browser-context.ts';
import type { User } from '../../../../core/domain/user.ts';
import type { Verified } from '../../../../core/identity/passwords.ts';

/** A sign-in whose password was right, and that waits for a second factor or a new password. The browser keeps it, sealed. */
export interface PendingSignIn {
  readonly userId: number;
  readonly name: string;
  /** The user's generation when the password was checked. A new password ends the sign-in. */
  readonly generation: number;
  /** Where the sign-in leads in the end. */
  readonly back: string;
  /** How the user has proved who it is so far. */
  readonly methods: Verified['methods'];
  /** What the ticket will end with, as {@link Verified} has it. */
  readonly parent?: Verified['parent'];
  /** What the event of the login will tell, as {@link Verified} has it. */
  readonly loginReason?: Verified['loginReason'];
  /** When that proof was accepted, in epoch milliseconds. What ended since then gets no ticket. */
  readonly provedAt?: number | undefined;
  /** Whether the user has given the second factor, and only a new password is missing. */
  readonly hasGivenFactor: boolean;
}

/** The name of the cookie, and the purpose of the sealed text in it. */
const PENDING = 'sign-in';
const LIFETIME = 10 * 60_000;

/** The pending sign-in of this browser; undefined if there is none, or its 10 minutes are over. */
export function pendingSignIn(browser: BrowserContext): PendingSignIn | undefined {
  const sealed = browser.cookie(PENDING);
  return sealed === undefined ? undefined : (browser.unseal(PENDING, sealed) as PendingSignIn | undefined);
}

/** The user of a pending sign-in, and what was verified. */
type PendingUser = Pick<User, 'id' | 'name' | 'generation'> &
  Pick<Verified, 'methods' | 'parent' | 'loginReason'> &
  Pick<PendingSignIn, 'provedAt'>;

/** The cookie that keeps a pending sign-in of this user for 10 minutes. */
export function pendingCookie(
  browser: BrowserContext,
  { id: userId, name, generation, methods, parent, loginReason, provedAt }: PendingUser,
  {
    back,
    hasGivenFactor = false,
  }: Pick<PendingSignIn, 'back'> & Partial<Pick<PendingSignIn, 'hasGivenFactor'>>,
): BrowserCookie {
  const proof = { generation, methods, parent, loginReason, provedAt };
  const pending: PendingSignIn = { userId, name, ...proof, back, hasGivenFactor };
  return { name: PENDING, value: browser.seal(PENDING, pending, LIFETIME), maxAge: LIFETIME / 1_000 };
}

/** The cookie that ends a pending sign-in. */
export const NOT_PENDING: BrowserCookie = { name: PENDING, value: 'none' };

/** The answer to a browser that has no pending sign-in. */
export const START = '/portal/login';
