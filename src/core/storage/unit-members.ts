import type { Digest } from '../domain/ticket.ts';
import type { TicketParents, Tickets } from './store.ts';

/** A unit with these members in place of its own. Tables that the unit opens at their first use stay unopened. */
export function withMembers<U extends object>(unit: U, members: Partial<U>): U {
  const all = { ...Object.getOwnPropertyDescriptors(unit), ...Object.getOwnPropertyDescriptors(members) };
  return Object.defineProperties({}, all) as U;
}

/** Ends a ticket alone, and reads its children once no unit that {@link Tickets.hold} let go first can add one. */
type EndAlone = (digest: Digest, children: () => Promise<Digest[]>) => Promise<readonly [boolean, Digest[]]>;

/**
 * The tickets of a write unit, where an end of a ticket also ends those whose parent it is. These have no children. An engine that
 * runs what a unit asks in turn needs no `endAlone` of its own.
 */
export function endingChildren(
  tickets: Tickets,
  parents: () => Pick<TicketParents, 'childrenOf'>,
  endAlone: EndAlone = (digest, children) => Promise.all([tickets.end(digest), children()]),
): Tickets {
  return {
    ...tickets,
    async end(digest) {
      const [isEnded, children] = await endAlone(digest, () => parents().childrenOf(digest));
      for (const child of children) await tickets.end(child);
      return isEnded;
    },
  };
}
