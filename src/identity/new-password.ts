import { isTooLong } from './password-hash.ts';

let common: Promise<ReadonlySet<string>> | undefined;

/** The most common passwords, from a maintained list. Loaded when first asked for: the service itself hardly ever does. */
function commonPasswords(): Promise<ReadonlySet<string>> {
  common ??= import('@zxcvbn-ts/language-common').then(
    ({ dictionary }) => new Set(dictionary['passwords-common'] as string[]),
  );
  return common;
}

/**
 * Why a new password is refused, with the mend; nothing when it is fine. Length and commonness only, no rules of
 * composition (NIST SP 800-63B-4, 3.1.1.2): any Unicode is welcome and checked whole.
 */
export async function faultOfNewPassword(password: string, least: number): Promise<string | undefined> {
  const length = [...password.normalize('NFC')].length;
  if (length < least) return `the password has ${length} characters: choose one of ${least} or more`;
  if (isTooLong(password)) return 'the password is longer than 1024 bytes: choose a shorter one';
  if ((await commonPasswords()).has(password.normalize('NFC').toLowerCase())) {
    return 'the password is one of the most common ones, tried first by everyone who guesses: choose another';
  }
  return undefined;
}
