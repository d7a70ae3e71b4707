import type { BrowserCookie } from '../../../core/answer.ts';
import type { BrowserContext } from '../../../core/browser-context.ts';
import type { SignInAttempt } from '../sign-in-provider.ts';

/** The name of the cookie, and the purpose for which its value is sealed. */
const ATTEMPT = 'sign-in-with';

/** Milliseconds that a person has for the sign-in at the provider. */
export const ATTEMPT_LIFETIME = 10 * 60_000;

/** A sign-in at a provider that this browser has begun. */
export interface BrowserAttempt extends SignInAttempt {
  readonly provider: string;
  /** The address to which the sign-in leads. */
  readonly back: string;
}

/** Has the browser keep the attempt. Only the service can read it. */
export function attemptCookie(browser: BrowserContext, attempt: BrowserAttempt): BrowserCookie {
  return {
    name: ATTEMPT,
    value: browser.seal(ATTEMPT, attempt, ATTEMPT_LIFETIME),
    maxAge: ATTEMPT_LIFETIME / 1_000,
  };
}

export const NO_ATTEMPT: BrowserCookie = { name: ATTEMPT, value: 'none' };

/** The attempt that this browser has begun at this provider; undefined if there is none, or it is too old. */
export function attemptOf(
  { cookie, unseal }: Pick<BrowserContext, 'cookie' | 'unseal'>,
  provider: string,
): BrowserAttempt | undefined {
  const sealed = cookie(ATTEMPT);
  const attempt = sealed && (unseal(ATTEMPT, sealed) as BrowserAttempt | undefined);
  return attempt && attempt.provider === provider ? attempt : undefined;
}
