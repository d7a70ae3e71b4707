import type { Answer } from '../answer.ts';
import type { Event } from '../domain/event.ts';
import { isRefusal, type Refusal, type RefusalCode } from '../domain/refusal.ts';
import { requestOriginOf } from '../domain/request-origin.ts';
import { shortDigest, type WhyDead } from '../domain/ticket.ts';
import { StoreUnavailable, type WriteUnit } from '../storage/store.ts';
import type { Bookkeeping } from './bookkeeping.ts';
import type { Call, CallOutcome } from './call.ts';

/** The refusals of a login that have an event. */
const REFUSED_LOGINS: readonly RefusalCode[] = [
  'login_failed',
  'access_token_refused',
  'user_not_admitted',
  'name_of_another',
];

/**
 * The event of a login, a refused login, a logout or a revocation by `client`. It is written in the transaction of the call.
 */
export function eventOf(
  call: Call,
  result: Answer<unknown> | Refusal,
  at: number,
  client?: string,
): Event | undefined {
  if (isRefusal(result)) {
    const { refused, user, reason } = result;
    return REFUSED_LOGINS.includes(refused)
      ? { at, kind: 'login-refused', user, ...requestOriginOf(call), reason }
      : undefined;
  }
  const concerned = result.issued ?? result.ended;
  if (concerned === undefined) return undefined;
  const { ticket, user } = concerned;
  const event = { at, user: user.name, ...requestOriginOf(call), digest: shortDigest(ticket.digest) };
  if (client !== undefined) return { ...event, kind: 'ticket-revoked', reason: client };
  if (result.issued === undefined) return { ...event, kind: 'logout' };
  return { ...event, kind: 'login', reason: result.issued.loginReason };
}

/**
 * Writes the events of a call into its unit. An event of a change by an administrator that cannot be written undoes the
 * change: its fault is thrown. An event of a login or a logout refuses neither: its fault is returned. If `requiresEvents`, it
 * undoes both: {@link StoreUnavailable} is thrown. A refusal stays one in either case.
 */
export async function writeEvents(
  unit: WriteUnit,
  call: Call,
  { result, user, client }: CallOutcome,
  at: number,
  { requiresEvents }: Pick<Bookkeeping, 'requiresEvents'>,
): Promise<unknown> {
  const changes = isRefusal(result) ? [] : (result.changes ?? []);
  for (const change of changes)
    await unit.events.append({ ...change, at, actor: client ?? user, ...requestOriginOf(call) });
  const event = eventOf(call, result, at, client);
  if (event === undefined || (isTallied(result) && !requiresEvents)) return undefined;
  const fault = await unit.aside(() =>
    isTallied(result) ? unit.events.tally({ ...event, digest: undefined }, 1) : unit.events.append(event),
  );
  if (fault === undefined || isRefusal(result) || !requiresEvents) return fault;
  throw new StoreUnavailable('an event cannot be written, and TESSERA_AUDIT=required', { cause: fault });
}

/** Whether the event of this result is only counted: anybody can log in without a password, as often as they like. */
export function isTallied(result: Answer<unknown> | Refusal): boolean {
  return !isRefusal(result) && result.issued?.withoutPassword === true;
}

/** The reasons for which a ticket is refused. The password check writes the event of a refused password. */
const TICKET_REASONS: Readonly<Record<WhyDead | 'foreign', true>> = {
  malformed: true,
  unknown: true,
  expired: true,
  invalid: true,
  suspended: true,
  foreign: true,
};

/** The event of a ticket that a client asked about and that is dead. It is counted like a refused ticket. */
export function tallyOfDead(call: Call, reason: WhyDead, at: number): Event {
  return { at, kind: 'ticket-refused', ...requestOriginOf(call), reason };
}

/**
 * The event of a refused ticket, client or API key, or of too low a role, with the reason. Equal ones are counted, not written
 * each time.
 */
export function tallyOf(
  call: Call,
  refusal: Refusal,
  user: string | undefined,
  at: number,
): Event | undefined {
  const { reason } = refusal;
  if (reason === undefined) return undefined;
  const event = { at, ...requestOriginOf(call), reason };
  if (refusal.refused === 'client_unknown') return { ...event, kind: 'client-refused' };
  if (refusal.refused === 'admin_credential_needed' && reason.includes('API key'))
    return { ...event, kind: 'api-key-refused' };
  if (refusal.refused === 'role_needed') return { ...event, kind: 'role-refused', user: refusal.user };
  return Object.hasOwn(TICKET_REASONS, reason) ? { ...event, kind: 'ticket-refused', user } : undefined;
}
