import type { Settings } from './table.ts';

/** The cost of new password hashes, as it is set. */
export function hashCostIn({ hashMemory, hashPasses, hashLanes }: Settings) {
  return { memory: hashMemory, passes: hashPasses, lanes: hashLanes };
}

/** How long tickets live, as it is set: in milliseconds, `Infinity` where a limit is off. */
export function lifetimeIn({ ticketIdle, ticketAge, lockoutDuration, lockoutTickets }: Settings) {
  return { idle: ticketIdle, age: ticketAge, lockoutDuration, throughLockOut: lockoutTickets === 'valid' };
}

/** What is asked of a new password for the user of this name, as it is set. */
export function newPasswordRulesIn({ passwordLength, breachedPasswords }: Settings, name: string) {
  return { name, least: passwordLength, breachedFile: breachedPasswords };
}
