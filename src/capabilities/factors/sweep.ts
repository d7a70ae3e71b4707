import type { Sweep } from '../../core/storage/sweep.ts';
import { removeExpiredAppPassword } from './rules/app-passwords.ts';

/** Removes app passwords soon after they expire, with their tickets. */
export const appPasswordsSweep: Sweep = {
  async removals({ appPasswords }, now, limit) {
    const expired = await appPasswords.expired(now, limit);
    return expired.map((each) => (unit) => removeExpiredAppPassword(unit, each, now));
  },
};
