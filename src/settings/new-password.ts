import type { Settings } from './table.ts';

/** What is asked of a new password for the user of this name, as it is set. */
export function newPasswordRulesIn({ passwordLength, breachedPasswords }: Settings, name: string) {
  return { name, least: passwordLength, breachedFile: breachedPasswords };
}
