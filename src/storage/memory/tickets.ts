import type { Digest, KeptTicket } from '../../domain/ticket.ts';
import { holderOf } from '../../domain/user.ts';
import type { Tickets } from '../store.ts';
import { every, one, type Sight, type Tables } from './nouns.ts';

const hex = (digest: Digest) => digest.toString('hex');
const byDigest = (a: KeptTicket, b: KeptTicket) => a.digest.compare(b.digest);

/** The ticket noun of the memory engine. */
export function ticketsIn(tables: Tables, sight: Sight): Tickets {
  const generation = () => one(tables.numbers, 'generation', sight) ?? 0;
  const holderIn = (id: number) => {
    const user = one(tables.users, id, sight);
    return user && holderOf(user);
  };
  const listOf = (userId: number) =>
    every(tables.tickets, sight)
      .filter((ticket) => ticket.userId === userId)
      .sort((a, b) => a.issuedAt - b.issuedAt || byDigest(a, b));
  return {
    async find(digest) {
      const ticket = one(tables.tickets, hex(digest), sight);
      const user = ticket && holderIn(ticket.userId);
      return ticket && user && { ticket, user, serverGeneration: generation() };
    },
    listOf: async (userId) => listOf(userId),
    countOf: async (userId) => listOf(userId).length,
    page: async (after, limit) =>
      every(tables.tickets, sight)
        .filter((ticket) => after === undefined || ticket.digest.compare(after.digest) > 0)
        .sort(byDigest)
        .slice(0, limit)
        .map((ticket) => ({ ticket, user: holderIn(ticket.userId) })),
    serverGeneration: async () => generation(),
    async issue(ticket) {
      tables.tickets.set(hex(ticket.digest), ticket);
    },
    end: async (digest) => tables.tickets.delete(hex(digest)),
    async use(digest, at) {
      const ticket = tables.tickets.get(hex(digest));
      if (ticket !== undefined && ticket.usedAt < at)
        tables.tickets.set(hex(digest), { ...ticket, usedAt: at });
    },
    async raiseServerGeneration() {
      tables.numbers.set('generation', generation() + 1);
      return generation();
    },
  };
}
