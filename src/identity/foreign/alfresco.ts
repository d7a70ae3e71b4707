import { readBcrypt } from './bcrypt.ts';
import { type ForeignHash, HashUnreadable } from './foreign-hash.ts';
import type { Step } from './step.ts';

/** The hex digits that the quick encoders write. */
const DIGITS: Readonly<Record<string, number>> = { md4: 32, sha256: 64 };
const isQuick = (encoder: string) => Object.hasOwn(DIGITS, encoder);

function quick(encoder: string, salt: string | undefined): Step {
  if (encoder === 'md4') return { kind: 'md4' };
  return salt ? { kind: 'sha256', salt } : { kind: 'sha256' };
}

function checkOrder(encoders: readonly string[]): void {
  if (
    encoders.length === 0 ||
    !encoders.every((encoder) => isQuick(encoder) || /^bcrypt\d{1,2}$/.test(encoder))
  )
    throw new HashUnreadable(
      'has a hashIndicator that is not known here: write md4, sha256, bcrypt10, or several such as md4,bcrypt10',
    );
  if (!encoders.slice(0, -1).every(isQuick))
    throw new HashUnreadable(
      'has a hashIndicator with bcrypt before its last step: such a hash verifies nowhere, so leave the user out',
    );
}

/**
 * Reads `passwordHash` with the `hashIndicator` that says which encoders it went through, in their order: `md4`
 * (of UTF-16, never salted), `sha256` (of the text and `{salt}`, when there is one) and bcrypt, which can only be
 * the last, since its salt stands in its result. Each but the last hands on its digest in hex.
 */
export function readAlfresco(
  passwordHash: string,
  hashIndicator: readonly string[],
  salt: string | undefined,
): ForeignHash {
  checkOrder(hashIndicator);
  const last = hashIndicator.at(-1) as string;
  if (!isQuick(last)) {
    const { steps, digest } = readBcrypt(passwordHash);
    return {
      steps: [...hashIndicator.slice(0, -1).map((encoder) => quick(encoder, salt)), ...steps],
      digest,
    };
  }
  if (!new RegExp(`^[0-9a-f]{${DIGITS[last]}}$`, 'i').test(passwordHash))
    throw new HashUnreadable(
      `has a passwordHash that is no ${last}, which is ${DIGITS[last]} hex digits: export passwordHash and hashIndicator of the same user`,
    );
  return { steps: hashIndicator.map((encoder) => quick(encoder, salt)), digest: passwordHash.toLowerCase() };
}
