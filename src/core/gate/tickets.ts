import { hash, randomBytes } from 'node:crypto';
import type { LoggedIn } from '../answer.ts';
import { type Refusal, refuse } from '../domain/refusal.ts';
import { type RequestClient, requestOriginOf } from '../domain/request-origin.ts';
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
  type TicketLimits,
  type TicketOrigin,
  type WhyDead,
} from '../domain/ticket.ts';
import { isPasswordless, noteLogin, type User } from '../domain/user.ts';
import type { Verified } from '../identity/passwords.ts';
import { InvariantViolated } from '../invariants.ts';
import { chain, type MaybePromise } from '../maybe-promise.ts';
import type { ReadUnit, WriteUnit } from '../storage/store.ts';
import { PARENT_CHECK } from '../storage/sweep.ts';
import { type FullUsers, isInGroup, makeRoom, type TicketGroup, ticketGroupOf } from './ticket-room.ts';

/** The rules for tickets. The clock and the random source are among them, so that tests can set them. */
export interface TicketRules extends TicketLimits {
  /** Without them each login of a user at the limit lists all tickets of the user. */
  readonly fullUsers?: FullUsers;
  /** Epoch milliseconds. */
  readonly clock: () => number;
  readonly random: (bytes: number) => Buffer;
}

export const systemRandom = (bytes: number): Buffer => randomBytes(bytes);

/** The digest under which the store keeps a ticket. */
export function digestOf(ticket: Ticket): Digest {
  return hash('sha256', ticket, 'hex') as Digest;
}

/**
 * The CSRF token of this ticket (specification, section 17). It is a digest, so it does not reveal the ticket. Only pages that
 * are served to this ticket hold it.
 */
export function formTokenOf(ticket: string): string {
  return hash('sha256', `form ${ticket}`, 'base64url').slice(0, 32);
}

/** A live ticket, or why there is none. */
export type TicketLookup = HeldTicket | { readonly dead: WhyDead };

/** The live ticket that `text` is now, or why it is none. */
export function findLive(
  unit: Pick<ReadUnit, 'tickets'>,
  text: string,
  rules: TicketRules,
): MaybePromise<TicketLookup> {
  const ticket = parseTicket(text);
  if (ticket === undefined) return { dead: 'malformed' };
  const digest = digestOf(ticket);
  const passes = (heldTicket: HeldTicket) => stateOf(heldTicket, rules.clock(), rules.lifetime) === 'valid';
  return chain(unit.tickets.find(digest, passes), (heldTicket) => ifLive(heldTicket, digest, rules));
}

function ifLive(
  heldTicket: HeldTicket | undefined,
  digest: Digest,
  { clock, lifetime }: TicketRules,
): TicketLookup {
  if (heldTicket === undefined) return { dead: 'unknown' };
  if (heldTicket.ticket.digest !== digest) throw new InvariantViolated('found_ticket');
  if (heldTicket.ticket.userId !== heldTicket.user.id) throw new InvariantViolated('ticket_user');
  const state = stateOf(heldTicket, clock(), lifetime);
  return state === 'valid' ? heldTicket : { dead: state };
}

/** The user of a verified password, if the verification still holds in this unit. */
export async function confirmed(
  unit: ReadUnit,
  verified: Verified,
  now: number,
  lifetime: Lifetime,
): Promise<User | undefined> {
  const user = await unit.users.find(verified.userId);
  if (user !== undefined && user.id !== verified.userId) throw new InvariantViolated('login_user');
  // Another request may have renewed the hash since then. The same generation means the same password. Without a hash here,
  // only the generation tells.
  const hasSameHash = verified.passwordHash !== undefined && user?.passwordHash === verified.passwordHash;
  const same = hasSameHash || user?.generation === verified.generation;
  // `find` has locked the user: either this unit sees that the app password is gone, or its removal sees the ticket.
  const holds = verified.isKeptIn === undefined ? same : await verified.isKeptIn(unit);
  if (user === undefined || !holds) return undefined;
  return user.disabled || isLockedFor(user, now, lifetime) ? undefined : user;
}

/** The most tickets that are drawn until one is in the wanted group. One in 256 is. */
const MOST_DRAWS = 4_096;

/** Draws a ticket and issues it. It is drawn until it is in the group, if there is one; otherwise the store may ask for another. */
async function drawAndIssue(
  { tickets }: WriteUnit,
  fields: Omit<KeptTicket, 'digest'>,
  group: TicketGroup | undefined,
  { random }: TicketRules,
): Promise<{ ticket: Ticket; issued: KeptTicket }> {
  const draws = drawTickets(random(TICKET_BYTES));
  let ticket = draws.next().value;
  let digest = digestOf(ticket);
  const redraw = () => {
    ticket = draws.next().value;
    return digestOf(ticket);
  };
  if (group !== undefined)
    for (let left = MOST_DRAWS; left > 0 && !isInGroup(digest, group); left -= 1) digest = redraw();
  digest = await tickets.issue({ ...fields, digest }, group === undefined ? redraw : undefined);
  if (digest !== digestOf(ticket)) throw new InvariantViolated('issued_ticket');
  return { ticket, issued: { ...fields, digest } };
}

/** The client to which a ticket is issued. */
function ticketOriginOf(
  client: RequestClient,
  { appPassword, tokenProvider, application, methods }: Verified,
): TicketOrigin {
  return {
    ...requestOriginOf(client),
    appPassword,
    ...(tokenProvider !== undefined && { tokenProvider }),
    ...(application !== undefined && { application }),
    ...(methods.length > 0 && { methods }),
  };
}

/**
 * Confirms a verified user in this unit and issues a ticket to the user, for this client. `refusalFor` tells why a user gets
 * none although the password is right.
 */
export async function issueTicket<R extends Refusal = never>(
  unit: WriteUnit,
  verified: Verified,
  rules: TicketRules,
  client: RequestClient,
  refusalFor?: (user: User) => R | undefined,
): Promise<LoggedIn | Refusal<'login_failed'> | R> {
  const now = rules.clock();
  await verified.recordSuccess?.(unit);
  const user = await confirmed(unit, verified, now, rules.lifetime);
  if (user === undefined) {
    const changed = await unit.users.find(verified.userId);
    return refuse('login_failed', { reason: 'changed meanwhile', ...(changed && { user: changed.name }) });
  }
  const refusal = refusalFor?.(user);
  if (refusal !== undefined) return refusal;
  const withoutPassword = isPasswordless(user);
  const group = withoutPassword ? ticketGroupOf(user, client.address) : undefined;
  const serverGeneration = await unit.tickets.serverGeneration();
  const count = rules.perUser === 0 ? 0 : await unit.tickets.countOf(user.id);
  const isFull = rules.perUser > 0 && (withoutPassword || count >= rules.perUser);
  const { provider, appPassword, parent } = verified;
  if (isFull && !(await makeRoom(unit, { user, serverGeneration, now, group, parent }, count, rules)))
    return refuse('login_failed', { reason: 'too many live tickets', user: user.name });
  const fields = {
    userId: user.id,
    userGeneration: user.generation,
    serverGeneration,
    issuedAt: verified.signedInAt ?? now,
    usedAt: now,
  };
  const { ticket, issued } = await drawAndIssue(unit, fields, group, rules);
  await noteLogin(unit.users, user, now);
  await unit.tickets.setOrigin(issued, ticketOriginOf(client, verified));
  if (parent !== undefined) await unit.ticketParents.put(issued.digest, parent, now + PARENT_CHECK);
  const by = appPassword === undefined ? provider && `by ${provider}` : `app password ${appPassword}`;
  // A row that counts logins has the same reason for all of them.
  const loginReason = withoutPassword ? undefined : (by ?? verified.loginReason);
  return { value: { ticket }, issued: { ticket: issued, user, withoutPassword, loginReason } };
}

/** The ticket that this one ends with; itself, if it ends by itself. A log-out ends that one, and so all that end with it. */
export async function firstTicket(
  { ticketParents, tickets }: Pick<ReadUnit, 'ticketParents' | 'tickets'>,
  digest: Digest,
): Promise<Digest> {
  const parent = await ticketParents.parentOf(digest);
  // The parent may be a session at an identity provider, which has tickets of other browsers, too.
  return parent !== undefined && (await tickets.find(parent)) !== undefined ? parent : digest;
}

/**
 * Keeps a ticket, and the one that it ends with, through the change that raises their user to this generation: both are one sign-in in one
 * browser.
 */
export async function keepTicket(
  unit: Pick<WriteUnit, 'ticketParents' | 'tickets'>,
  digest: Digest,
  generation: number,
): Promise<void> {
  for (const kept of new Set([digest, await firstTicket(unit, digest)]))
    await unit.tickets.moveToGeneration(kept, generation);
}
