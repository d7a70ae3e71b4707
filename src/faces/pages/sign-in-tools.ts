import type { BrowserCookie } from '../../core/answer.ts';
import type { BrowserContext } from '../../core/browser-context.ts';
import type { ChangeEvent } from '../../core/domain/event.ts';
import type { RequestOrigin } from '../../core/domain/request-origin.ts';
import type { FactorDemand } from '../../core/domain/second-factor.ts';
import type { AuthenticationMethod, Digest } from '../../core/domain/ticket.ts';
import type { User } from '../../core/domain/user.ts';
import type { SignInButton } from '../../core/representations/representation.ts';
import type { ReadUnit, WriteUnit } from '../../core/storage/store.ts';

/** The second factor, as a sign-in asks for it after the password. */
export interface SecondStep {
  /** Whether sign-ins ask users who have a second factor for it. */
  readonly isAsked: boolean;
  /** Whether users can sign in with passkeys in this browser. */
  takesPasskeys(browser: BrowserContext): boolean;
  /** Whether they could if the browser reached the service by a host name. */
  lacksHostName(browser: BrowserContext): boolean;
  /** What is asked of the user beside what was verified. Nothing, if this browser has given the second factor already. */
  demandOf(unit: ReadUnit, user: User, browser: BrowserContext, now: number): Promise<FactorDemand>;
  /** Notes when a second factor was first asked of the user: the time for registering one begins. */
  noteAsked(unit: WriteUnit, user: User, now: number): Promise<void>;
  /** The cookie that keeps the sign-in of this user, which leads to `back`, until the factor is given. */
  pendingCookie(
    browser: BrowserContext,
    user: Pick<User, 'id' | 'name' | 'generation'> & {
      readonly methods: readonly AuthenticationMethod[];
      readonly parent?: Digest | undefined;
      readonly loginReason?: string | undefined;
      readonly provedAt: number;
    },
    back: string,
  ): BrowserCookie;
  /** How the user of a pending sign-in, of which only a new password is missing, proved who it is before. */
  methodsBefore(browser: BrowserContext, userId: number): readonly AuthenticationMethod[];
  /** The cookies that end the pending sign-in of this browser; none if none is pending. */
  endPending(browser: BrowserContext): readonly BrowserCookie[];
}

/** A sign-in on a page: the name of the user, from where, and when it began, in epoch milliseconds. */
export interface PageSignIn extends RequestOrigin {
  readonly user: string;
  readonly at: number;
}

declare module '../../core/browser-context.ts' {
  /** How capabilities take part in the sign-in. A member is missing without the capability that has it. */
  interface BrowserTools {
    readonly secondStep?: SecondStep;
    /** The identity providers where people may sign in, too. */
    readonly signInButtons?: () => readonly SignInButton[];
    /** The event of a sign-in with a password, in its unit, if the user should hear of it. */
    readonly unfamiliarSignIn?: (store: ReadUnit, signIn: PageSignIn) => Promise<ChangeEvent | undefined>;
    /** Whether people of this identity provider sign out there, too. */
    readonly signsOutAt?: (provider: string) => boolean;
    /** Whether people who have forgotten their password can have a link sent. */
    readonly mailsLinks?: boolean;
  }
}
