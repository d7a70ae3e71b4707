import type { Digest, KeptTicket, Lifetime } from '../../domain/ticket.ts';

/** Tickets outlive their end by so long, in milliseconds: clocks may differ, and the sweeper tells of what has expired. */
const GRACE = 10 * 60_000;

/** What marks a ticket that its unit has written and not yet committed: nobody finds it. */
export const PENDING = '?';

/** A ticket as it is written; its digest is its key. */
export function ticketRecord(ticket: KeptTicket): string {
  const { userId, userGeneration, serverGeneration, issuedAt, usedAt } = ticket;
  return `${userId} ${userGeneration} ${serverGeneration} ${issuedAt} ${usedAt}`;
}

/** The ticket in a record; nothing where there is none that is whole. */
export function ticketIn(digest: Digest, record: string): KeptTicket | undefined {
  const [userId, userGeneration, serverGeneration, issuedAt, usedAt, ...more] = record.split(' ').map(Number);
  if (usedAt === undefined || more.length > 0 || !Number.isInteger(userId)) return undefined;
  return {
    digest,
    userId: userId as number,
    userGeneration: userGeneration as number,
    serverGeneration: serverGeneration as number,
    issuedAt: issuedAt as number,
    usedAt,
  };
}

/** The values of a use, as its script takes them. */
export function useValues(at: number, { idle, age }: Lifetime, now: number): string[] {
  const limits = [idle, age].map((limit) => String(Number.isFinite(limit) ? limit : -1));
  return [String(at), String(now), ...limits, String(GRACE)];
}

/** For how many milliseconds from `now` on a ticket is kept, as a script takes it; 0 is for ever. */
export function keptFor({ issuedAt, usedAt }: KeptTicket, { idle, age }: Lifetime, now: number): string {
  const endsAt = Math.min(usedAt + idle, issuedAt + age);
  if (!Number.isFinite(endsAt)) return '0';
  return String(Math.max(1, Math.round(endsAt - now + GRACE)));
}
