import type { EventKind } from '../domain/event.ts';
import { byTicket, type Digest, shortDigest } from '../domain/ticket.ts';
import type { TicketParents, WriteUnit } from './store.ts';

/** A unit with these members in place of its own. Tables that the unit opens at their first use stay unopened. */
export function withMembers<U extends object>(unit: U, members: Partial<U>): U {
  const all = { ...Object.getOwnPropertyDescriptors(unit), ...Object.getOwnPropertyDescriptors(members) };
  return Object.defineProperties({}, all) as U;
}

/** Ends a ticket alone, and reads its children once no unit that `hold` let go first can add one. */
type EndAlone = (digest: Digest, children: () => Promise<Digest[]>) => Promise<readonly [boolean, Digest[]]>;

type TicketsAndEvents = Pick<WriteUnit, 'events' | 'tickets'>;

/** The kinds of the events that tell the end of one ticket. */
const ENDS: ReadonlySet<EventKind> = new Set(['logout', 'ticket-revoked', 'expiry']);
/** An embedded store has one unit for all that it writes, and some ends have no event: the most tickets to remember. */
const MOST_REMEMBERED = 1_000;

/**
 * The tickets of a write unit, where an end of a ticket also ends those whose parent it is. These have no children. The event of
 * one of the tickets that ended together is followed by an event of each other one. An engine that runs what a unit asks in turn
 * needs no `endAlone` of its own.
 */
export function endingChildren(
  { tickets, events }: TicketsAndEvents,
  parents: () => Pick<TicketParents, 'childrenOf'>,
  endAlone: EndAlone = (digest, children) => Promise.all([tickets.end(digest), children()]),
): TicketsAndEvents {
  /** The tickets that ended together, by the short digest of each, until one of them has its event. */
  const endings = new Map<string, readonly Digest[]>();
  const allEvents = { ...events };
  const appendEach: typeof events.append = async (event) => {
    await events.append(event);
    const { kind, digest: by = '' } = event;
    for (const ticket of (ENDS.has(kind) && endings.get(by)) || []) {
      const digest = shortDigest(ticket);
      endings.delete(digest);
      // It is there again if what ended it was rolled back.
      if (digest === by || (await tickets.find(ticket)) !== undefined) continue;
      await events.append({ ...event, digest, reason: byTicket(by) });
    }
  };
  return {
    tickets: {
      ...tickets,
      async end(digest) {
        const [isEnded, children] = await endAlone(digest, () => parents().childrenOf(digest));
        const ends = isEnded ? [digest] : [];
        for (const child of children) if (await tickets.end(child)) ends.push(child);
        if (endings.size > MOST_REMEMBERED) endings.clear();
        for (const each of ends) endings.set(shortDigest(each), ends);
        // Most units end no ticket, or one alone: they append without a detour.
        if (ends.length > 1) allEvents.append = appendEach;
        return isEnded;
      },
    },
    events: allEvents,
  };
}
