import type { RegisteredClient } from '../domain/client.ts';
import { isRefusal, type Refusal, refuse } from '../domain/refusal.ts';
import type { HeldTicket, Ticket, WhyDead } from '../domain/ticket.ts';
import type { Passwords, Verified } from '../identity/verifier.ts';
import { allOf, chain, type MaybePromise } from '../maybe-promise.ts';
import type { Caller } from '../operation.ts';
import type { ReadUnit } from '../storage/store.ts';
import type { Call, Presented } from './call.ts';
import { confirmed, findLive, type TicketLookup, type TicketRules } from './tickets.ts';

/** Who was found to call: a user, or a client. */
export type Known = { readonly caller: Caller } | { readonly client: RegisteredClient };

/** Finds who calls, in a unit that rests on it. */
export type Confirm = (unit: ReadUnit) => MaybePromise<Known | Refusal>;

type CallerRefusal = Refusal<
  'authentication_needed' | 'tickets_of_two_users' | 'passwords_unavailable' | 'hash_queue_full'
>;

/** A user name and a password as they are presented. */
export interface Pair {
  readonly name: string;
  readonly password: string;
}

/** The user name and password of a call that presents them; they have to be verified before the transaction. */
export function passwordOf({ header }: Presented): Pair | undefined {
  return header !== undefined && 'name' in header ? header : undefined;
}

/** The call without what it presents beside an `alf_ticket`. */
export function byArgumentAlone(call: Call): Call {
  const { presented } = call;
  const given = presented.arguments.some((text) => text !== '');
  return given ? { ...call, presented: { ...presented, header: undefined } } : call;
}

function ticketOf({ header }: Presented): string | undefined {
  return header !== undefined && 'ticket' in header ? header.ticket : undefined;
}

/** The caller that a ticket names. It was found live, so it is of the form. */
function callerBy(ticket: string, held: HeldTicket): Caller {
  return { user: held.user, presented: ticket as Ticket, held };
}

/** A refused password as it is answered on level `user`: 401, since clients log in again on that alone. */
function asChallenge(refusal: Refusal): CallerRefusal {
  const { refused, detail: _, ...rest } = refusal;
  if (refused === 'hash_queue_full' || refused === 'passwords_unavailable') return refuse(refused, rest);
  return refuse('authentication_needed', { reason: refused, ...rest });
}

const UNPRESENTED = { dead: 'nothing presented' } as const;

interface NoTicket {
  readonly dead: WhyDead | typeof UNPRESENTED.dead;
}

/** The caller that a live `alf_ticket` names, or why there is none. */
function callerByArgument(
  unit: ReadUnit,
  { arguments: texts }: Presented,
  rules: TicketRules,
): MaybePromise<Caller | NoTicket | CallerRefusal> {
  const found = allOf(texts.map((text) => findLive(unit, text, rules)));
  return chain(found, (all) => firstCaller(texts, all));
}

/** The caller that the first live one of these tickets names; two live ones of different users name none. */
function firstCaller(
  texts: readonly string[],
  found: readonly TicketLookup[],
): Caller | NoTicket | CallerRefusal {
  let caller: Caller | undefined;
  let { dead }: NoTicket = UNPRESENTED;
  for (let at = 0; at < texts.length; at += 1) {
    const held = found[at] as TicketLookup;
    if ('dead' in held) dead = held.dead;
    else if (caller !== undefined && caller.user.id !== held.user.id) return refuse('tickets_of_two_users');
    else caller ??= callerBy(texts[at] as string, held);
  }
  return caller ?? { dead };
}

/** The caller that a ticket names where nothing else is a credential: that in the header, or else that of `alf_ticket`. */
export async function confirmHolder(
  unit: ReadUnit,
  { presented }: Call,
  rules: TicketRules,
): Promise<Known | Refusal<'ticket_needed'>> {
  const text = ticketOf(presented) ?? '';
  const held = text === '' ? UNPRESENTED : await findLive(unit, text, rules);
  if (!('dead' in held)) return { caller: callerBy(text, held) };
  const found = await callerByArgument(unit, presented, rules);
  if (isRefusal(found)) return refuse('ticket_needed', { reason: 'tickets of two users' });
  if (!('dead' in found)) return { caller: found };
  return refuse('ticket_needed', { reason: held === UNPRESENTED ? found.dead : held.dead });
}

/** Who calls by a user name and a password, which are verified before the transaction. */
export async function verifyPair(
  { name, password }: Pair,
  passwords: Passwords,
): Promise<Verified | CallerRefusal> {
  const verified = await passwords.checkRepeated(name, password);
  return isRefusal(verified) ? asChallenge(verified) : verified;
}

/**
 * Who calls, where no password has to be hashed for that: by a live `alf_ticket`, or by a pair that was verified a moment
 * ago. Nothing otherwise.
 */
export function confirmUnhashed(
  unit: ReadUnit,
  { presented }: Call,
  { name, password }: Pair,
  passwords: Passwords,
  rules: TicketRules,
): MaybePromise<Known | CallerRefusal | undefined> {
  return chain(callerByArgument(unit, presented, rules), (found) => {
    if (isRefusal(found)) return found;
    if (!('dead' in found)) return { caller: found };
    return chain(passwords.fromCache(unit, name, password), (user) => user && { caller: { user } });
  });
}

/** Whether the argument `alf_ticket` holds a live ticket. */
export async function hasLiveArgument(unit: ReadUnit, call: Call, rules: TicketRules): Promise<boolean> {
  return !('dead' in (await callerByArgument(unit, call.presented, rules)));
}

/** The caller, confirmed in the operation's own transaction. */
export function confirmCaller(
  unit: ReadUnit,
  { presented }: Call,
  verified: Verified | undefined,
  rules: TicketRules,
): MaybePromise<Known | CallerRefusal> {
  return chain(callerByArgument(unit, presented, rules), (found) => {
    if (isRefusal(found)) return found;
    if (!('dead' in found)) return { caller: found };
    return verified === undefined
      ? confirmTicket(unit, ticketOf(presented), found, rules)
      : confirmVerified(unit, verified, rules);
  });
}

async function confirmVerified(
  unit: ReadUnit,
  verified: Verified,
  rules: TicketRules,
): Promise<Known | CallerRefusal> {
  const user = await confirmed(unit, verified, rules.clock(), rules.lifetime);
  return user === undefined
    ? refuse('authentication_needed', { reason: 'changed meanwhile' })
    : { caller: { user } };
}

/** The caller that the ticket in the header names, where `alf_ticket` named none. */
function confirmTicket(
  unit: ReadUnit,
  text: string | undefined,
  { dead }: NoTicket,
  rules: TicketRules,
): MaybePromise<Known | CallerRefusal> {
  if (text === undefined) return refuse('authentication_needed', { reason: dead });
  return chain(findLive(unit, text, rules), (held) =>
    'dead' in held
      ? refuse('authentication_needed', { reason: held.dead })
      : { caller: callerBy(text, held) },
  );
}
