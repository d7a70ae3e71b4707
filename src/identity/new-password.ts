import { faultOfBreach } from './breached-passwords.ts';
import { isTooLong } from './password-hash.ts';
import { faultOfStrength } from './password-strength.ts';

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
  { name, least, breachedFile }: NewPasswordRules,
): Promise<string | undefined> {
  const composed = password.normalize('NFC');
  const { length } = [...composed];
  if (length < least) return `the password has ${length} characters: choose one of ${least} or more`;
  if (isTooLong(password)) return 'the password is longer than 1024 bytes: choose a shorter one';
  const weakness = await faultOfStrength(composed, name);
  if (weakness !== undefined) return weakness;
  return breachedFile === '' ? undefined : faultOfBreach(breachedFile, password);
}
