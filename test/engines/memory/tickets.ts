import { byDigest, type Digest, oldestFirst } from '../../../src/core/domain/ticket.ts';
import { holderOf } from '../../../src/core/domain/user.ts';
import type { TicketParents, Tickets } from '../../../src/core/storage/store.ts';
import { every, one, type Sight, type Tables } from './tables.ts';

/** The tickets of the memory engine. */
export function ticketsIn(tables: Tables, sight: Sight): Tickets {
  const generation = () => one(tables.numbers, 'generation', sight) ?? 0;
  const holderIn = (id: number) => {
    const user = one(tables.users, id, sight);
    return user && holderOf(user);
  };
  const listOf = (userId: number) =>
    every(tables.tickets, sight)
      .filter((ticket) => ticket.userId === userId)
      .sort(oldestFirst);
  const find = async (digest: Digest) => {
    const ticket = one(tables.tickets, digest, sight);
    const user = ticket && holderIn(ticket.userId);
    return ticket && user && { ticket, user, serverGeneration: generation() };
  };
  return {
    find,
    hold: find,
    listOf: async (userId) => listOf(userId),
    countOf: async (userId) => listOf(userId).length,
    page: async (after, limit) =>
      every(tables.tickets, sight)
        .filter((ticket) => after === undefined || ticket.digest > after.digest)
        .sort(byDigest)
        .slice(0, limit)
        .map((ticket) => ({ ticket, user: holderIn(ticket.userId) })),
    originsOf: async (issued) => issued.map(({ digest }) => one(tables.origins, digest, sight)),
    serverGeneration: async () => generation(),
    async issue(ticket) {
      tables.tickets.set(ticket.digest, ticket);
      return ticket.digest;
    },
    async setOrigin({ digest }, origin) {
      tables.origins.set(digest, origin);
    },
    async end(digest) {
      tables.origins.delete(digest);
      return tables.tickets.delete(digest);
    },
    async use(digest, at) {
      const ticket = tables.tickets.get(digest);
      if (ticket !== undefined && ticket.usedAt < at) tables.tickets.set(digest, { ...ticket, usedAt: at });
    },
    async moveToGeneration(digest, userGeneration) {
      const ticket = tables.tickets.get(digest);
      if (ticket?.userGeneration === userGeneration - 1)
        tables.tickets.set(digest, { ...ticket, userGeneration });
    },
    async raiseServerGeneration() {
      tables.numbers.set('generation', generation() + 1);
      return generation();
    },
  };
}

/** What the tickets of the memory engine end with. */
export function ticketParentsIn({ ticketParents }: Tables, sight: Sight): TicketParents {
  const sorted = () => every(ticketParents, sight).sort(byDigest);
  return {
    parentOf: async (ticket) => one(ticketParents, ticket, sight)?.parent,
    childrenOf: async (parent) => sorted().flatMap((each) => (each.parent === parent ? [each.digest] : [])),
    checkedAt: async (digest) => one(ticketParents, digest, sight)?.checkedAt,
    due: async (before, limit) =>
      sorted()
        .filter(({ checkedAt }) => checkedAt < before)
        .sort((a, b) => a.checkedAt - b.checkedAt)
        .slice(0, limit)
        .map(({ digest }) => digest),
    async put(digest, parent, checkedAt) {
      const before = one(ticketParents, digest, sight)?.checkedAt ?? 0;
      if (checkedAt > before) ticketParents.set(digest, { digest, parent, checkedAt });
    },
    async postpone(digest, checkedAt) {
      const row = ticketParents.get(digest);
      if (row !== undefined) ticketParents.set(digest, { ...row, checkedAt });
    },
    remove: async (digest) => void ticketParents.delete(digest),
  };
}
