import { socketPathIn } from './combinations.ts';
import { type Settings, variableOf } from './table.ts';

/** The cost of new password hashes, by the settings. */
export function hashCostIn({ hashMemory, hashPasses, hashLanes }: Settings) {
  return { memory: hashMemory, passes: hashPasses, lanes: hashLanes };
}

/** How long tickets live, by the settings: in milliseconds, `Infinity` without a limit. */
export function lifetimeIn({ ticketIdle, ticketAge, lockoutDuration, lockoutTickets }: Settings) {
  return { idle: ticketIdle, age: ticketAge, lockoutDuration, throughLockOut: lockoutTickets === 'valid' };
}

/** The limits of a user's live tickets, from the settings. */
export function ticketLimitsIn(settings: Settings) {
  const { ticketsPerUser: perUser, ticketsFull: whenFull } = settings;
  return { lifetime: lifetimeIn(settings), perUser, whenFull };
}

/** The rules for a new password of the user with this name, by the settings. */
export function newPasswordRulesIn({ passwordLength, breachedPasswords }: Settings, name: string) {
  return { name, least: passwordLength, breachedFile: breachedPasswords };
}

/** Where the public server listens: a port of an address, or a Unix socket. */
export function publicPlaceIn({ host, port, socketMode: mode }: Settings) {
  const path = socketPathIn(host);
  return path === undefined
    ? { host, port, setting: variableOf('port') }
    : { path, mode, setting: variableOf('host') };
}
