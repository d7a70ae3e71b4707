import type { Event } from '../domain/event.ts';
import { isRefusal, type Refusal } from '../domain/refusal.ts';
import { shortDigest, type WhyDead } from '../domain/ticket.ts';
import type { Answer } from '../operation.ts';
import type { Call } from './call.ts';

/**
 * The event of a login, its refusal, a logout or a revocation by `client`, to stand in the transaction that it tells of.
 */
export function eventOf(
  { address }: Call,
  result: Answer<unknown> | Refusal,
  at: number,
  client?: string,
): Event | undefined {
  if (isRefusal(result)) {
    const { refused, user, reason } = result;
    return refused === 'login_failed'
      ? { at, kind: 'login-refused', user, from: address, reason }
      : undefined;
  }
  const concerned = result.issued ?? result.ended;
  if (concerned === undefined) return undefined;
  const { ticket, user } = concerned;
  const told = { at, user: user.name, from: address, digest: shortDigest(ticket.digest) };
  if (client !== undefined) return { ...told, kind: 'ticket-revoked', reason: client };
  return { ...told, kind: result.issued ? 'login' : 'logout' };
}

/** Why a ticket is refused. A refused password has an event of its own, written by the password check. */
const OF_TICKETS: Readonly<Record<WhyDead | 'foreign', true>> = {
  malformed: true,
  unknown: true,
  expired: true,
  invalid: true,
  suspended: true,
  foreign: true,
};

/** The event of a ticket that a client asked about and that is not live; counted as one that is refused. */
export function tallyOfDead({ address }: Call, reason: WhyDead, at: number): Event {
  return { at, kind: 'ticket-refused', from: address, reason };
}

/** The event of a refused ticket or client, with the true reason that the caller is not told; it is counted, not told each time. */
export function tallyOf(
  { address }: Call,
  refusal: Refusal,
  user: string | undefined,
  at: number,
): Event | undefined {
  const { reason } = refusal;
  if (reason === undefined) return undefined;
  if (refusal.refused === 'client_unknown') return { at, kind: 'client-refused', from: address, reason };
  if (!Object.hasOwn(OF_TICKETS, reason)) return undefined;
  return { at, kind: 'ticket-refused', user, from: address, reason };
}
