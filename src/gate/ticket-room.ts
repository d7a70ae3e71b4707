import { hash } from 'node:crypto';
import { type Digest, type Lifetime, stateOf } from '../domain/ticket.ts';
import { ticketSourceOf } from '../domain/ticket-source.ts';
import type { User } from '../domain/user.ts';
import type { WriteUnit } from '../storage/store.ts';

/** What limits the live tickets of a user. */
export interface TicketLimits {
  readonly lifetime: Lifetime;
  /** Live tickets that a user may have; 0 for any number. */
  readonly perUser: number;
  readonly whenFull: 'replace-oldest' | 'refuse';
}

/** The part of a user's tickets that one group may have, where they need no password. */
const PART_OF_GROUP = 4;

/** A group of tickets, as the last two digits of their digests. */
type TicketGroup = string;

const groupOf = (digest: Digest): TicketGroup => digest.slice(-2);

/**
 * The group of tickets that an address gets for a user without a password: one of 256. The digest of such a ticket is
 * drawn to end with it, so that the store need not keep who got the ticket.
 */
export function ticketGroupOf(user: User, address: string): TicketGroup {
  return hash('sha256', `${user.id} ${ticketSourceOf(address)}`, 'hex').slice(0, 2);
}

export function isInGroup(digest: Digest, group: TicketGroup): boolean {
  return groupOf(digest) === group;
}

/**
 * Makes room for one more ticket of the user, in this group if one is given; false when the limits say to refuse instead.
 * Only a group that has its full part, or the group that has the most, loses a ticket.
 */
export async function makeRoom(
  unit: WriteUnit,
  user: User,
  limits: TicketLimits,
  now: number,
  group?: TicketGroup,
): Promise<boolean> {
  const { perUser, whenFull } = limits;
  const free = group === undefined ? perUser : partOf(perUser);
  if (perUser === 0 || (await unit.tickets.countOf(user.id)) < free) return true;
  const live = await liveOf(unit, user, limits, now);
  const surplus = group === undefined ? surplusOver(perUser, live) : surplusBeside(group, perUser, live);
  if (surplus.length > 0 && whenFull === 'refuse') return false;
  for (const digest of surplus) await unit.tickets.end(digest);
  return true;
}

const partOf = (perUser: number) => Math.ceil(perUser / PART_OF_GROUP);

/** The user's live tickets, oldest first. */
async function liveOf(
  { tickets }: WriteUnit,
  user: User,
  { lifetime }: TicketLimits,
  now: number,
): Promise<Digest[]> {
  const serverGeneration = await tickets.serverGeneration();
  const all = await tickets.listOf(user.id);
  return all.flatMap((ticket) =>
    stateOf({ ticket, user, serverGeneration }, now, lifetime) === 'valid' ? [ticket.digest] : [],
  );
}

/** Those of `live` that have to end for one more to be within `most`. */
function surplusOver(most: number, live: readonly Digest[]): readonly Digest[] {
  return live.slice(0, Math.max(0, live.length - most + 1));
}

function surplusBeside(group: TicketGroup, perUser: number, live: readonly Digest[]): readonly Digest[] {
  const groups = Map.groupBy(live, groupOf);
  const own = surplusOver(partOf(perUser), groups.get(group) ?? []);
  if (own.length > 0) return own;
  const [largest = []] = [...groups.values()].sort((a, b) => b.length - a.length);
  return largest.slice(0, surplusOver(perUser, live).length);
}
