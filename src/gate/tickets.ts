import { hash, randomBytes } from 'node:crypto';
import type { Refusal } from '../domain/refusal.ts';
import { refuse } from '../domain/refusal.ts';
import {
  type Digest,
  drawTickets,
  type HeldTicket,
  isLockedFor,
  type Lifetime,
  parseTicket,
  stateOf,
  TICKET_BYTES,
  type Ticket,
  type WhyDead,
} from '../domain/ticket.ts';
import type { User } from '../domain/user.ts';
import type { Verified } from '../identity/verifier.ts';
import { chain, type MaybePromise } from '../maybe-promise.ts';
import type { LoggedIn } from '../operation.ts';
import type { ReadUnit, WriteUnit } from '../storage/store.ts';
import { isInGroup, makeRoom, type TicketLimits, ticketGroupOf } from './ticket-room.ts';

/** What decides over tickets, the clock and chance included, so that tests can fix them. */
export interface TicketRules extends TicketLimits {
  readonly clock: () => number;
  readonly random: (bytes: number) => Buffer;
}

export const systemChance = (bytes: number): Buffer => randomBytes(bytes);

/** The digest under which a ticket is kept. */
export function digestOf(ticket: Ticket): Digest {
  return hash('sha256', ticket, 'hex') as Digest;
}

/** A ticket that lives, or why there is none. */
export type TicketLookup = HeldTicket | { readonly dead: WhyDead };

/** The live ticket that `text` is at the moment, or why it is none. */
export function findLive(
  unit: Pick<ReadUnit, 'tickets'>,
  text: string,
  rules: TicketRules,
): MaybePromise<TicketLookup> {
  const ticket = parseTicket(text);
  if (ticket === undefined) return { dead: 'malformed' };
  return chain(unit.tickets.find(digestOf(ticket)), (held) => ifLive(held, rules));
}

function ifLive(held: HeldTicket | undefined, { clock, lifetime }: TicketRules): TicketLookup {
  if (held === undefined) return { dead: 'unknown' };
  const state = stateOf(held, clock(), lifetime);
  return state === 'valid' ? held : { dead: state };
}

/** The user of a verified password, if what was verified still holds in this unit. */
export async function confirmed(
  unit: Pick<ReadUnit, 'users'>,
  verified: Verified,
  now: number,
  lifetime: Lifetime,
): Promise<User | undefined> {
  const user = await unit.users.find(verified.userId);
  // Another request may have renewed the hash meanwhile: the password is the same as long as the generation is.
  const same = user?.passwordHash === verified.passwordHash || user?.generation === verified.generation;
  if (user === undefined || !same) return undefined;
  return user.disabled || isLockedFor(user, now, lifetime) ? undefined : user;
}

/** Tickets that are drawn at most: the wanted ones are one of 256 kinds. */
const MOST_DRAWS = 4_096;

/** A new ticket whose digest is wanted, if one is drawn in time. */
function draw(
  isWanted: (digest: Digest) => boolean,
  { random }: TicketRules,
): { ticket: Ticket; digest: Digest } {
  const draws = drawTickets(random(TICKET_BYTES));
  for (let left = MOST_DRAWS; ; left -= 1) {
    const ticket = draws.next().value;
    const digest = digestOf(ticket);
    if (left === 0 || isWanted(digest)) return { ticket, digest };
  }
}

/** Which digests are wanted: the group's, or the ones that the store finds quickest. */
function wanted(
  { tickets }: WriteUnit,
  { id }: User,
  group: string | undefined,
): (digest: Digest) => boolean {
  if (group !== undefined) return (digest) => isInGroup(digest, group);
  return (digest) => tickets.prefers === undefined || tickets.prefers(digest, id);
}

/** Confirms a verified user in this unit and issues a ticket to it, for a client at this address. */
export async function issueTicket(
  unit: WriteUnit,
  verified: Verified,
  rules: TicketRules,
  address: string,
): Promise<LoggedIn | Refusal<'login_failed'>> {
  const now = rules.clock();
  await verified.settle?.(unit);
  const user = await confirmed(unit, verified, now, rules.lifetime);
  if (user === undefined) {
    const changed = await unit.users.find(verified.userId);
    return refuse('login_failed', { reason: 'changed meanwhile', ...(changed && { user: changed.name }) });
  }
  const withoutPassword = user.passwordHash === undefined;
  const group = withoutPassword ? ticketGroupOf(user, address) : undefined;
  if (!(await makeRoom(unit, user, rules, now, group)))
    return refuse('login_failed', { reason: 'too many live tickets', user: user.name });
  const { ticket, digest } = draw(wanted(unit, user, group), rules);
  const kept = {
    digest,
    userId: user.id,
    userGeneration: user.generation,
    serverGeneration: await unit.tickets.serverGeneration(),
    issuedAt: now,
    usedAt: now,
  };
  await unit.tickets.issue(kept);
  return { value: { ticket }, issued: { ticket: kept, user, withoutPassword } };
}
