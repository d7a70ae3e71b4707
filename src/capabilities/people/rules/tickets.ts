import type { ChangeEvent } from '../../../core/domain/event.ts';
import { type Change, changeWith, UNCHANGED } from '../../../core/domain/outcome.ts';
import { type Refusal, refuse } from '../../../core/domain/refusal.ts';
import {
  endedBy,
  type HeldTicket,
  type KeptTicket,
  shortDigest,
  type TicketAndOwner,
  type TicketOrigin,
  type TicketState,
} from '../../../core/domain/ticket.ts';
import { isPasswordless, type User } from '../../../core/domain/user.ts';
import { firstTicket, keepTicket } from '../../../core/gate/tickets.ts';
import type { ReadUnit, WriteUnit } from '../../../core/storage/store.ts';

/** A valid ticket, as its user sees it. */
export interface OwnTicket {
  readonly ticket: KeptTicket;
  /** Undefined if it is not known. */
  readonly origin: TicketOrigin | undefined;
  /** Whether it is the ticket that the caller presented. */
  readonly current: boolean;
}

/** The state of a kept ticket now. */
type StateNow = (ticket: TicketAndOwner) => TicketState;

/** Above this number of tickets that end at once, there is one event of all of them. */
const MOST_EVENTS = 100;

/** The valid tickets of a user, as its own. */
export interface OwnTickets {
  /** First the one that was presented, then the others, the last used first. */
  readonly tickets: readonly OwnTicket[];
  /** The number of further tickets, which were used before these. */
  readonly more: number;
}

/**
 * The valid tickets of the person who presented `held`: all of the user. If the user has no password, only `held`: anybody may
 * log in as such a user, so the other tickets are of other people.
 */
async function validTickets(
  { tickets, users }: Pick<ReadUnit, 'tickets' | 'users'>,
  { ticket: presented, user, serverGeneration }: HeldTicket,
  stateNow: StateNow,
): Promise<KeptTicket[]> {
  const [owner, all] = await Promise.all([users.find(user.id), tickets.listOf(user.id)]);
  const isShared = owner === undefined || isPasswordless(owner);
  const own = isShared ? all.filter(({ digest }) => digest === presented.digest) : all;
  return own.filter((ticket) => stateNow({ ticket, user: owner ?? user, serverGeneration }) === 'valid');
}

/** The valid tickets of the user who presented `held`, `limit` at most. */
export async function ownTickets(
  unit: Pick<ReadUnit, 'tickets' | 'users'>,
  heldTicket: HeldTicket,
  stateNow: StateNow,
  limit: number,
): Promise<OwnTickets> {
  const valid = await validTickets(unit, heldTicket, stateNow);
  const isCurrent = ({ digest }: KeptTicket) => digest === heldTicket.ticket.digest;
  const listed = valid
    .sort((a, b) => Number(isCurrent(b)) - Number(isCurrent(a)) || b.usedAt - a.usedAt)
    .slice(0, limit);
  const origins = await unit.tickets.originsOf(listed);
  const tickets = listed.map((ticket, at) => ({ ticket, origin: origins[at], current: isCurrent(ticket) }));
  return { tickets, more: valid.length - tickets.length };
}

/** Ends all tickets of a user. */
export async function revokeTickets(unit: Pick<WriteUnit, 'users'>, user: User): Promise<Change> {
  await unit.users.change(user.id, { generation: user.generation + 1 });
  return changeWith({ kind: 'tickets-revoked', user: user.name });
}

/**
 * Ends the valid ticket with these first 8 digits of its digest, if it is an own one of the user who presented `held`. Another
 * user's ticket is not found.
 */
export async function endOwnTicket(
  unit: Pick<WriteUnit, 'tickets' | 'users'>,
  heldTicket: HeldTicket,
  digest: string,
  stateNow: StateNow,
): Promise<Change | Refusal<'ticket_not_found'>> {
  const valid = await validTickets(unit, heldTicket, stateNow);
  const own = heldTicket.ticket.digest;
  const named = valid.filter((ticket) => shortDigest(ticket.digest) === digest);
  if (named.length === 0) return refuse('ticket_not_found');
  const events: ChangeEvent[] = [];
  for (const ticket of named)
    if (await unit.tickets.end(ticket.digest)) events.push(endedBy(own, heldTicket.user, ticket.digest));
  return { events };
}

/**
 * Ends every ticket of the user who presented `held` but that one, and the one that it ends with. Each has its event; if they are more than
 * {@link MOST_EVENTS}, one event stands for all.
 */
export async function endOtherTickets(
  unit: Pick<WriteUnit, 'ticketParents' | 'tickets' | 'users'>,
  heldTicket: HeldTicket,
  stateNow: StateNow,
): Promise<Change> {
  // Locks the user, so that no ticket is issued meanwhile.
  const user = await unit.users.find(heldTicket.user.id);
  if (user === undefined) return UNCHANGED;
  const valid = await validTickets(unit, heldTicket, stateNow);
  const { digest: own } = heldTicket.ticket;
  const first = await firstTicket(unit, own);
  const others = valid.filter(({ digest }) => digest !== own && digest !== first);
  if (others.length === 0) return UNCHANGED;
  const generation = user.generation + 1;
  await unit.users.change(user.id, { generation });
  await keepTicket(unit, own, generation);
  const by = shortDigest(own);
  if (others.length > MOST_EVENTS)
    return { events: [{ kind: 'tickets-revoked', user: user.name, reason: `by ticket ${by}` }] };
  return { events: others.map(({ digest }) => endedBy(own, user, digest)) };
}
