import { hash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import {
  type Digest,
  type KeptTicket,
  type Lifetime,
  liveAmong,
  type TicketLimits,
} from '../domain/ticket.ts';
import { ticketSourceOf } from '../domain/ticket-source.ts';
import type { User } from '../domain/user.ts';
import type { WriteUnit } from '../storage/store.ts';

/** One group may have a quarter of a user's tickets, if the user has no password. */
const PART_OF_GROUP = 4;

/** A group of tickets: the last two digits of their digests. */
export type TicketGroup = string;

const groupOf = (digest: Digest): TicketGroup => digest.slice(-2);

/**
 * The group of tickets that an address gets for a user without a password: one of 256. Tickets are drawn until a digest ends
 * with it, so that the store need not keep the address.
 */
export function ticketGroupOf(user: User, address: string): TicketGroup {
  return hash('sha256', `${user.id} ${ticketSourceOf(address)}`, 'hex').slice(0, 2);
}

export function isInGroup(digest: Digest, group: TicketGroup): boolean {
  return groupOf(digest) === group;
}

/** Of how many users at the limit the oldest tickets are remembered, and how many of each: some 90 bytes a ticket. */
const MOST_USERS = 1_000;
const MOST_TICKETS = 125;

/** The tickets of a user, all of which were live when they were listed. */
interface OldestTickets {
  readonly userGeneration: number;
  readonly serverGeneration: number;
  /** Epoch milliseconds. */
  readonly listedAt: number;
  /** When the first of them expires at the earliest. Until then every ticket that the store has of the user is live. */
  readonly liveUntil: number;
  /** The oldest first. */
  readonly oldest: Digest[];
}

/** A login of a user in its unit. */
interface RoomRequest {
  readonly user: User;
  readonly serverGeneration: number;
  /** Epoch milliseconds. */
  readonly now: number;
  /** The group that the ticket has to be in, if the user has no password. */
  readonly group: TicketGroup | undefined;
  /** What the ticket will end with, so that this makes no room for it. */
  readonly parent?: Digest | undefined;
}

/**
 * Remembers the oldest tickets of users at the limit, so that not each of their logins has to list all tickets. A listing
 * stays right whatever else writes to the store: what has ended is found to be gone, and later tickets are younger or, if a sign-in was
 * handed over, as old as the ticket that they end with.
 */
export class FullUsers {
  readonly #listings = new LRUCache<number, OldestTickets>({ max: MOST_USERS });

  /** Remembers the live tickets of a user, the oldest first. The store has to have no other ticket of the user. */
  remember({ user, serverGeneration, now }: RoomRequest, tickets: readonly KeptTicket[], lifetime: Lifetime) {
    const ends = tickets.map(({ usedAt, issuedAt }) =>
      Math.min(usedAt + lifetime.idle, issuedAt + lifetime.age),
    );
    this.#listings.set(user.id, {
      userGeneration: user.generation,
      serverGeneration,
      listedAt: now,
      liveUntil: ends.reduce((first, end) => Math.min(first, end), Number.POSITIVE_INFINITY),
      oldest: tickets.slice(0, MOST_TICKETS).map(({ digest }) => digest),
    });
  }

  /** The oldest tickets of a user, if every ticket that the store has of the user is live. The caller removes a ticket from the list that has ended. */
  oldestOf({ user, serverGeneration, now }: RoomRequest): Digest[] | undefined {
    const listing = this.#listings.get(user.id);
    if (listing === undefined || listing.userGeneration !== user.generation) return undefined;
    if (listing.serverGeneration !== serverGeneration) return undefined;
    return now >= listing.listedAt && now < listing.liveUntil ? listing.oldest : undefined;
  }
}

/**
 * Makes room for one more ticket of a user who has `count` tickets, in the group if there is one. Returns false if the limits say
 * to refuse instead. Only a group that is full, or the largest group, loses a ticket.
 */
export async function makeRoom(
  unit: WriteUnit,
  request: RoomRequest,
  count: number,
  limits: TicketLimits & { readonly fullUsers?: FullUsers },
): Promise<boolean> {
  const { perUser, whenFull, fullUsers } = limits;
  const { group, parent } = request;
  if (group !== undefined && count < partOf(perUser)) return true;
  const listed = group === undefined ? fullUsers?.oldestOf(request) : undefined;
  const oldest = listed?.some((digest) => digest === parent) ? undefined : listed;
  if (oldest !== undefined && whenFull === 'refuse') return false;
  if (oldest !== undefined && (await endOldest(unit, oldest, count - perUser + 1))) return true;
  const live = await liveOf(unit, request, count, limits);
  const surplus = group === undefined ? surplusOver(perUser, live) : surplusBeside(group, perUser, live);
  if (surplus.length > 0 && (whenFull === 'refuse' || surplus.some((digest) => digest === parent)))
    return false;
  for (const digest of surplus) await unit.tickets.end(digest);
  return true;
}

const partOf = (perUser: number) => Math.ceil(perUser / PART_OF_GROUP);

/**
 * Ends so many of these tickets, the oldest first. Returns false if there are too few. A ticket that had ended before leaves the
 * list. A ticket that this call ends stays in it, because the unit may still fail.
 */
async function endOldest({ tickets }: WriteUnit, oldest: Digest[], surplus: number): Promise<boolean> {
  let ended = 0;
  while (ended < surplus && ended < oldest.length) {
    if (await tickets.end(oldest[ended] as Digest)) ended += 1;
    else oldest.splice(ended, 1);
  }
  return ended === surplus;
}

/** The user's live tickets, oldest first, but the parent last. They are remembered if the store has no others, which `count` tells. */
async function liveOf(
  { tickets }: WriteUnit,
  request: RoomRequest,
  count: number,
  { lifetime, fullUsers }: TicketLimits & { readonly fullUsers?: FullUsers },
): Promise<Digest[]> {
  const { user, serverGeneration, now, parent } = request;
  const all = await tickets.listOf(user.id);
  const live = liveAmong(all, user, serverGeneration, now, lifetime);
  if (live.length === all.length && all.length === count) fullUsers?.remember(request, all, lifetime);
  return parent === undefined ? live : live.toSorted((a, b) => Number(a === parent) - Number(b === parent));
}

/** The oldest of `live`, as many as have to end so that one more is within `most`. */
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
