import { hash, randomBytes } from 'node:crypto';
import type { Refusal } from '../domain/refusal.ts';
import { refuse } from '../domain/refusal.ts';
import {
  type Digest,
  drawTickets,
  type HeldTicket,
  isLockedFor,
  type KeptTicket,
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

/** How many tickets are drawn at most until one belongs to a group: one of 256 does. */
const MOST_DRAWS = 4_096;

/** Draws a ticket and issues it. With a group it belongs to that; without one the store may have others drawn. */
async function drawAndIssue(
  { tickets }: WriteUnit,
  kept: Omit<KeptTicket, 'digest'>,
  group: string | undefined,
  { random }: TicketRules,
): Promise<{ ticket: Ticket; kept: KeptTicket }> {
  const draws = drawTickets(random(TICKET_BYTES));
  let ticket = draws.next().value;
  let digest = digestOf(ticket);
  const redraw = () => {
    ticket = draws.next().value;
    return digestOf(ticket);
  };
  if (group !== undefined)
    for (let left = MOST_DRAWS; left > 0 && !isInGroup(digest, group); left -= 1) digest = redraw();
  digest = await tickets.issue({ ...kept, digest }, group === undefined ? redraw : undefined);
  return { ticket, kept: { ...kept, digest } };
}

/** Confirms a verified user in this unit and issues a ticket to it, for a client at this address. */
export async function issueTicket(
  unit: WriteUnit,
  verified: Verified,
  rules: TicketRules,
  address: string,
): Promise<LoggedIn | Refusal<'login_failed'>> {
  const now = rules.clock();
  await verified.recordSuccess?.(unit);
  const user = await confirmed(unit, verified, now, rules.lifetime);
  if (user === undefined) {
    const changed = await unit.users.find(verified.userId);
    return refuse('login_failed', { reason: 'changed meanwhile', ...(changed && { user: changed.name }) });
  }
  const withoutPassword = user.passwordHash === undefined;
  const group = withoutPassword ? ticketGroupOf(user, address) : undefined;
  if (!(await makeRoom(unit, user, rules, now, group)))
    return refuse('login_failed', { reason: 'too many live tickets', user: user.name });
  const fields = {
    userId: user.id,
    userGeneration: user.generation,
    serverGeneration: await unit.tickets.serverGeneration(),
    issuedAt: now,
    usedAt: now,
  };
  const { ticket, kept } = await drawAndIssue(unit, fields, group, rules);
  return { value: { ticket }, issued: { ticket: kept, user, withoutPassword } };
}
