import type { Digest, HeldTicket } from '../../domain/ticket.ts';
import type { Tickets, Users } from '../store.ts';
import type { InvalidationCounters } from './invalidation-counters.ts';
import type { ReadCache } from './read-cache.ts';
import type { TwoGenerationCache } from './two-generation-cache.ts';

/** A ticket with its holder, as it was read; what the count of the holder's changes told then. */
interface ReadTicket {
  readonly held: HeldTicket;
  readonly count: number;
  readonly told: number;
}

/** The tickets that were looked up lately, each with its holder. */
export class TicketCache {
  readonly #lookUp: (digest: Digest) => HeldTicket | undefined;
  readonly #tickets: TwoGenerationCache<Digest, ReadTicket>;
  readonly #holders: InvalidationCounters;

  constructor(recent: ReadCache, lookUp: (digest: Digest) => HeldTicket | undefined) {
    this.#lookUp = lookUp;
    this.#tickets = recent.shelf();
    this.#holders = recent.changes();
  }

  /** The ticket as the last commit left it. */
  find(digest: Digest): HeldTicket | undefined {
    const read = this.#tickets.get(digest);
    if (read !== undefined && this.#holders.underOne(read.count) === read.told) return read.held;
    const held = this.#lookUp(digest);
    if (held === undefined) return undefined;
    const count = this.#holders.countOf(held.user.id);
    this.#tickets.set(digest, { held, count, told: this.#holders.underOne(count) });
    return held;
  }

  /** The tickets of a unit that writes, whose changes are noted here. */
  writingTickets(tickets: Tickets): Tickets {
    return {
      ...tickets,
      end: (digest) => {
        this.#tickets.note(digest);
        return tickets.end(digest);
      },
      use: (digest, at) => {
        this.#tickets.note(digest);
        return tickets.use(digest, at);
      },
      raiseServerGeneration: () => {
        this.#tickets.note();
        return tickets.raiseServerGeneration();
      },
    };
  }

  /** The users of a unit that writes, whose changes are noted here. */
  writingUsers(users: Users): Users {
    return {
      ...users,
      change: (id, change) => {
        this.#holders.note(id);
        return users.change(id, change);
      },
      remove: (id) => {
        this.#holders.note(id);
        return users.remove(id);
      },
    };
  }
}
