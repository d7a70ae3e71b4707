import { type GivenSetting, secretOf } from '../settings/given.ts';

/**
 * What reads a password where it was given, each time it is asked for: a changed file holds without a restart. Its
 * faults name the setting.
 */
export function passwordFrom(given: GivenSetting | undefined): (() => string) | undefined {
  if (given === undefined) return undefined;
  return () => {
    try {
      return secretOf(given);
    } catch (error) {
      throw new Error(`${given.from}: ${(error as Error).message}`, { cause: error });
    }
  };
}
