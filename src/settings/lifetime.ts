import type { Settings } from './table.ts';

/** How long tickets live, as it is set: in milliseconds, `Infinity` where a limit is off. */
export function lifetimeIn({ ticketIdle, ticketAge, lockoutDuration, lockoutTickets }: Settings) {
  return { idle: ticketIdle, age: ticketAge, lockoutDuration, throughLockOut: lockoutTickets === 'valid' };
}
