import { faultOfBreach } from './breached-passwords.ts';
import { isTooLong } from './password-hash.ts';

let common: Promise<ReadonlySet<string>> | undefined;

/** The most common passwords, from a maintained list. Loaded when first asked for: the service itself hardly ever does. */
function commonPasswords(): Promise<ReadonlySet<string>> {
  common ??= import('@zxcvbn-ts/language-common').then(
    ({ dictionary }) => new Set(dictionary['passwords-common'] as string[]),
  );
  return common;
}

/** What is asked of a new password. */
export interface NewPasswordRules {
  /** The name of the user whose password it is to be. */
  readonly name: string;
  /** How many characters it has at least. */
  readonly least: number;
  /** A file of breached passwords; empty for none. */
  readonly breachedFile: string;
}

/**
 * Why a new password is refused, with the mend; nothing when it is fine. No rules of composition (NIST SP 800-63B-4,
 * 3.1.1.2): any Unicode is welcome and counts.
 */
export async function faultOfNewPassword(
  password: string,
  { least, breachedFile }: NewPasswordRules,
): Promise<string | undefined> {
  const length = [...password.normalize('NFC')].length;
  if (length < least) return `the password has ${length} characters: choose one of ${least} or more`;
  if (isTooLong(password)) return 'the password is longer than 1024 bytes: choose a shorter one';
  if ((await commonPasswords()).has(password.normalize('NFC').toLowerCase())) {
    return 'the password is one of the most common ones, tried first by everyone who guesses: choose another';
  }
  return breachedFile === '' ? undefined : faultOfBreach(breachedFile, password);
}
