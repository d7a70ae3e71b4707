import { randomBytes } from 'node:crypto';
import type { BrowserCookie } from '../../../core/answer.ts';
import type { BrowserContext } from '../../../core/browser-context.ts';

/** What a challenge is for: to make a passkey, to follow a right password, or to sign in with the passkey alone. */
export type Ceremony = 'passkey registration' | 'passkey second step' | 'passkey sign-in';

/** Milliseconds for which a challenge can be answered. */
export const CHALLENGE_LIFETIME = 5 * 60_000;

/** Bytes of the random value that names a browser. */
const BROWSER_BYTES = 16;
const COOKIE = 'passkey';

/** The part of a page's browser that challenges need. */
export type ChallengedBrowser = Pick<BrowserContext, 'cookie' | 'seal' | 'unseal'>;

/** A challenge that was opened. */
export interface OpenedChallenge {
  /** When it was made, in epoch milliseconds. */
  readonly at: number;
  /** The user that it was made for; undefined if any user may answer it. */
  readonly userId: number | undefined;
  /** The user handle for a new passkey. */
  readonly userHandle: string | undefined;
}

/**
 * Makes a challenge (WebAuthn section 13.4.3), in base64url. It is a sealed text with its time and its browser: only the service can
 * make one, and the service stores none. Each counts once, because the store keeps for each passkey the time of the last
 * challenge (`challengeAt`). The cookie names the browser, so that another one cannot answer. Tabs of one browser share it.
 */
export function newChallenge(
  browser: ChallengedBrowser,
  ceremony: Ceremony,
  { at, ...more }: { readonly at: number; readonly userId?: number; readonly userHandle?: string },
): { readonly challenge: string; readonly cookies: readonly BrowserCookie[] } {
  const cookie = browser.cookie(COOKIE);
  const name = cookie ?? randomBytes(BROWSER_BYTES).toString('base64url');
  const challenge = browser.seal(ceremony, { ...more, at, browser: name }, CHALLENGE_LIFETIME);
  return { challenge, cookies: cookie === undefined ? [{ name: COOKIE, value: name }] : [] };
}

/** Opens a challenge. Undefined if it is forged or too old, or was made for another purpose or browser. */
export function openChallenge(
  browser: ChallengedBrowser,
  ceremony: Ceremony,
  challenge: string,
): OpenedChallenge | undefined {
  const opened = browser.unseal(ceremony, challenge);
  if (opened === undefined || opened.browser !== browser.cookie(COOKIE)) return undefined;
  const { at, userId, userHandle } = opened;
  return {
    at: at as number,
    userId: userId as number | undefined,
    userHandle: userHandle as string | undefined,
  };
}
