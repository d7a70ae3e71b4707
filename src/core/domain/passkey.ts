/** A passkey: a key pair of which an authenticator holds the private key (WebAuthn Level 3). */
export interface Passkey {
  /** Chosen by the authenticator, 1 to 1023 bytes. Unique among all passkeys. */
  readonly credentialId: Buffer;
  readonly userId: number;
  /** The random name of the user for authenticators, 32 bytes: the same in all passkeys of a user, and in no other's. */
  readonly userHandle: Buffer;
  /** In the COSE format, as the authenticator gave it. */
  readonly publicKey: Buffer;
  /** The last count of signatures that the authenticator told; 0 if it does not count. */
  readonly signCount: number;
  /** Tells the passkeys of a user apart. Each has another. */
  readonly name: string;
  /** How browsers reach the authenticator, such as `usb` or `internal`. */
  readonly transports: readonly string[];
  /** Epoch milliseconds. */
  readonly madeAt: number;
  /** The last sign-in with it, in epoch milliseconds; undefined if there was none. */
  readonly usedAt: number | undefined;
  /** When the last challenge that it answered was made, in epoch milliseconds. It answers later ones only. */
  readonly challengeAt: number;
}

/** What a sign-in changes of a passkey. The store takes it only if it is newer than what it has: see {@link isNewUse}. */
export type PasskeyUse = Pick<Passkey, 'signCount' | 'challengeAt'> & { readonly usedAt: number };

/** Bytes of a user handle. */
export const USER_HANDLE_BYTES = 32;

/** How many passkeys a user may have. */
export const MOST_PASSKEYS = 20;

const LONGEST_NAME = 60;
const UNPRINTABLE = /[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Zl}\p{Zp}]/u;

/** Whether a passkey can have this name: 1 to 60 printable characters. */
export function isPossiblePasskeyName(name: string): boolean {
  return (
    name !== '' &&
    name.length <= 2 * LONGEST_NAME &&
    [...name].length <= LONGEST_NAME &&
    !UNPRINTABLE.test(name)
  );
}

/**
 * Whether an authenticator answered a challenge that is later than the last one, and did not count backwards. A count that
 * does not rise means that the key may have been copied (WebAuthn section 6.1.1). Most passkeys do not count, and always say 0.
 */
export function isNewUse(
  { signCount, challengeAt }: Pick<Passkey, 'signCount' | 'challengeAt'>,
  use: Pick<PasskeyUse, 'signCount' | 'challengeAt'>,
): boolean {
  const counts = use.signCount > signCount || (use.signCount === 0 && signCount === 0);
  return counts && use.challengeAt > challengeAt;
}
