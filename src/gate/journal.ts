import type { Event } from '../domain/event.ts';
import { isRefusal, type Refusal } from '../domain/refusal.ts';
import { shortDigest } from '../domain/ticket.ts';
import type { Answer, Caller } from '../operation.ts';
import type { Call } from './call.ts';

/** The event of a login, its refusal or a logout, to stand in the transaction that it tells of. */
export function eventOf({ address }: Call, result: Answer<unknown> | Refusal, at: number): Event | undefined {
  if (isRefusal(result)) {
    const { refused, user, reason } = result;
    return refused === 'login_failed'
      ? { at, kind: 'login-refused', user, from: address, reason }
      : undefined;
  }
  const concerned = result.issued ?? result.ended;
  if (concerned === undefined) return undefined;
  const { ticket, user } = concerned;
  const kind = result.issued ? 'login' : 'logout';
  return { at, kind, user: user.name, from: address, digest: shortDigest(ticket.digest) };
}

/** Why a ticket is refused. A refused password has an event of its own, written by the password check. */
const OF_TICKETS = new Set(['malformed', 'unknown', 'expired', 'invalid', 'suspended', 'foreign']);

/** The event of a refused ticket, with the true reason that the caller is not told; it is counted, not told each time. */
export function tallyOf(
  { address }: Call,
  refusal: Refusal,
  caller: Caller | undefined,
  at: number,
): Event | undefined {
  const { reason } = refusal;
  if (reason === undefined || !OF_TICKETS.has(reason)) return undefined;
  return { at, kind: 'ticket-refused', user: caller?.user.name, from: address, reason };
}
