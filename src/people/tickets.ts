import type { ChangeEvent } from '../domain/event.ts';
import { type Refusal, refuse } from '../domain/refusal.ts';
import {
  type HeldTicket,
  type KeptTicket,
  shortDigest,
  type TicketAndOwner,
  type TicketOrigin,
  type TicketState,
} from '../domain/ticket.ts';
import type { ReadUnit, WriteUnit } from '../storage/store.ts';
import { type Made, UNCHANGED } from './outcome.ts';

/** A valid ticket, as its user sees it. */
export interface OwnTicket {
  readonly ticket: KeptTicket;
  /** Undefined if it is not known. */
  readonly origin: TicketOrigin | undefined;
  /** Whether it is the ticket that the caller presented. */
  readonly current: boolean;
}

/** The state of a kept ticket now. */
type StateNow = (kept: TicketAndOwner) => TicketState;

/** Above this number of tickets that end at once, there is one event of all of them. */
const MOST_EVENTS = 100;

async function validTickets(
  { tickets }: Pick<ReadUnit, 'tickets'>,
  { user, serverGeneration }: HeldTicket,
  stateNow: StateNow,
): Promise<KeptTicket[]> {
  const all = await tickets.listOf(user.id);
  return all.filter((ticket) => stateNow({ ticket, user, serverGeneration }) === 'valid');
}

/** The valid tickets of the user who presented `held`: first that one, then the others, the last used first. */
export async function ownTickets(
  unit: Pick<ReadUnit, 'tickets'>,
  held: HeldTicket,
  stateNow: StateNow,
): Promise<OwnTicket[]> {
  const valid = await validTickets(unit, held, stateNow);
  const origins = await unit.tickets.originsOf(valid.map(({ digest }) => digest));
  const own = valid.map((ticket, index) => ({
    ticket,
    origin: origins[index],
    current: ticket.digest === held.ticket.digest,
  }));
  return own.sort((a, b) => Number(b.current) - Number(a.current) || b.ticket.usedAt - a.ticket.usedAt);
}

/** The event of a ticket that its user ended by another ticket, or by itself. */
function logout({ user, ticket }: HeldTicket, digest: string): ChangeEvent {
  const by = shortDigest(ticket.digest);
  return { kind: 'logout', user: user.name, digest, ...(by !== digest && { reason: `by ticket ${by}` }) };
}

/**
 * Ends the ticket with these first 8 digits of its digest, if it is the own one of the user who presented `held`. Another
 * user's ticket is not found.
 */
export async function endOwnTicket(
  { tickets }: Pick<WriteUnit, 'tickets'>,
  held: HeldTicket,
  digest: string,
): Promise<Made | Refusal<'ticket_not_found'>> {
  const all = await tickets.listOf(held.user.id);
  const named = all.filter((ticket) => shortDigest(ticket.digest) === digest);
  if (named.length === 0) return refuse('ticket_not_found');
  const events: ChangeEvent[] = [];
  for (const ticket of named) if (await tickets.end(ticket.digest)) events.push(logout(held, digest));
  return { events };
}

/**
 * Ends every ticket of the user who presented `held` but that one. Each has its event; if they are more than
 * {@link MOST_EVENTS}, one event stands for all.
 */
export async function endOtherTickets(
  unit: Pick<WriteUnit, 'tickets' | 'users'>,
  held: HeldTicket,
  stateNow: StateNow,
): Promise<Made> {
  // Locks the user, so that no ticket is issued meanwhile.
  const user = await unit.users.find(held.user.id);
  if (user === undefined) return UNCHANGED;
  const valid = await validTickets(unit, { ...held, user }, stateNow);
  const others = valid.filter(({ digest }) => digest !== held.ticket.digest);
  if (others.length === 0) return UNCHANGED;
  const generation = user.generation + 1;
  await unit.users.change(user.id, { generation });
  await unit.tickets.moveToGeneration(held.ticket.digest, generation);
  const by = shortDigest(held.ticket.digest);
  if (others.length > MOST_EVENTS)
    return { events: [{ kind: 'tickets-revoked', user: user.name, reason: `by ticket ${by}` }] };
  return { events: others.map(({ digest }) => logout(held, shortDigest(digest))) };
}
