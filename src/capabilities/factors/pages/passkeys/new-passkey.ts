import type { BrowserContext } from '../../../../core/browser-context.ts';
import { readRegistration } from '../../passkeys/answer.ts';
import { openChallenge } from '../../passkeys/challenge.ts';
import { verifiedRegistration } from '../../passkeys/verification.ts';
import { partyOf, takesPasskeys } from './options.ts';

/** The ceremony in which an authenticator makes a passkey. */
export const REGISTERS = 'passkey registration';

/** The passkey that an authenticator made for a challenge, with the user and the time of that challenge. */
export type AnsweredPasskey = NonNullable<Awaited<ReturnType<typeof newPasskeyIn>>>;

/** Verifies the answer of an authenticator. Undefined if it is forged or too old, or was asked for in another browser. */
export async function newPasskeyIn(browser: BrowserContext, credential: string) {
  const answered = readRegistration(credential);
  const opened = answered && openChallenge(browser, REGISTERS, answered.challenge);
  if (answered === undefined || opened === undefined || !takesPasskeys(browser)) return undefined;
  const passkey = await verifiedRegistration(answered, partyOf(browser));
  return passkey && { ...passkey, ...opened };
}
