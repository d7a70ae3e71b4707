import type { TicketParents, Tickets } from './store.ts';

/** A unit with these members in place of its own. Tables that the unit opens at their first use stay unopened. */
export function withMembers<U extends object>(unit: U, members: Partial<U>): U {
  const all = { ...Object.getOwnPropertyDescriptors(unit), ...Object.getOwnPropertyDescriptors(members) };
  return Object.defineProperties({}, all) as U;
}

/** The tickets of a write unit, where an end of a ticket also ends those whose parent it is. These have no children. */
export function endingChildren(tickets: Tickets, parents: () => Pick<TicketParents, 'childrenOf'>): Tickets {
  return {
    ...tickets,
    async end(digest) {
      const [isEnded, children] = await Promise.all([tickets.end(digest), parents().childrenOf(digest)]);
      for (const child of children) await tickets.end(child);
      return isEnded;
    },
  };
}
