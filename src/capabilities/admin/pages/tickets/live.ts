import { isRefusal, type Refusal } from '../../../../core/domain/refusal.ts';
import type { RunOperation } from '../../../../faces/pages/console/change.ts';
import ticketsGet from '../../operations/admin/tickets.get.ts';
import userTicketsGet from '../../operations/admin/users/tickets.get.ts';
import type { ListedTicket } from '../../representations/ticket.ts';

/** A live ticket, suspended or not, with the name of its user. */
export interface LiveTicket extends ListedTicket {
  readonly user: string;
}

/** Live tickets, and the cursor behind the last kept one that was looked at; undefined after the last of all. */
export interface LiveTickets {
  readonly items: readonly LiveTicket[];
  readonly next: string | undefined;
}

/** Kept tickets that are asked for at a time. */
const AT_A_TIME = 50;
/** A list reads on while it has fewer live tickets than this. */
const ENOUGH = 25;
/** The most kept tickets that a list reads: after all were ended, the store keeps dead ones until they are swept. */
const MOST_LOOKED_AT = 1_000;

/** Parts of the list that are read to count users. */
const MOST_PARTS = 10;

const isLive = ({ state }: ListedTicket) => state === 'valid' || state === 'suspended';

/** The live tickets among up to `limit` kept ones of all users. */
async function liveAmong(
  run: RunOperation,
  limit: number,
  cursor: string | undefined,
): Promise<LiveTickets | Refusal> {
  const query = { limit: String(limit), ...(cursor && { cursor }) };
  const found = await run(ticketsGet, { query });
  if (isRefusal(found)) return found;
  const { items, next } = found.value;
  const named = items.flatMap(({ user, ...ticket }) => (user === undefined ? [] : [{ ...ticket, user }]));
  return { items: named.filter(isLive), next };
}

/** Some live tickets of all users, those of one user together. */
export async function someLiveTickets(
  run: RunOperation,
  cursor: string | undefined,
): Promise<LiveTickets | Refusal> {
  const items: LiveTicket[] = [];
  let next = cursor;
  for (let looked = 0; looked < MOST_LOOKED_AT && items.length < ENOUGH; looked += AT_A_TIME) {
    const found = await liveAmong(run, AT_A_TIME, next);
    if (isRefusal(found)) return found;
    items.push(...found.items);
    next = found.next;
    if (next === undefined) break;
  }
  return { items, next };
}

/** The number of users who are signed in; at least that many where `isAll` is false, since a store may have millions. */
export async function countSignedIn(
  run: RunOperation,
): Promise<{ readonly count: number; readonly isAll: boolean } | Refusal> {
  const users = new Set<string>();
  let next: string | undefined;
  for (let part = 0; part < MOST_PARTS; part += 1) {
    const found = await liveAmong(run, MOST_LOOKED_AT, next);
    if (isRefusal(found)) return found;
    for (const { user } of found.items) users.add(user);
    next = found.next;
    if (next === undefined) break;
  }
  return { count: users.size, isAll: next === undefined };
}

/** The live tickets of a user, oldest first. */
export async function liveTicketsOf(
  run: RunOperation,
  user: string,
  cursor: string | undefined,
): Promise<LiveTickets | Refusal> {
  const query = { limit: String(MOST_LOOKED_AT), ...(cursor && { cursor }) };
  const found = await run(userTicketsGet, { path: { userName: user }, query });
  if (isRefusal(found)) return found;
  const { items, next } = found.value;
  return { items: items.filter(isLive).map((ticket) => ({ ...ticket, user })), next };
}
