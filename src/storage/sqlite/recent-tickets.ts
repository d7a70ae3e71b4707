import type { Digest, HeldTicket, KeptTicket } from '../../domain/ticket.ts';
import type { Holder } from '../../domain/user.ts';
import type { Tickets, Users } from '../store.ts';
import type { Recent } from './recent.ts';

/** The tickets that were looked up lately and, apart from them, their holders: many tickets have one. */
export class RecentTickets {
  readonly #lookUp: (digest: Digest) => HeldTicket | undefined;
  readonly #tickets;
  readonly #holders;
  #serverGeneration = 0;

  constructor(recent: Recent, lookUp: (digest: Digest) => HeldTicket | undefined) {
    this.#lookUp = lookUp;
    this.#tickets = recent.shelf<Digest, KeptTicket>();
    this.#holders = recent.shelf<number, Holder>();
  }

  /** The ticket as the last commit left it. */
  find(digest: Digest): HeldTicket | undefined {
    const ticket = this.#tickets.get(digest);
    const user = ticket && this.#holders.get(ticket.userId);
    if (ticket !== undefined && user !== undefined)
      return { ticket, user, serverGeneration: this.#serverGeneration };
    const held = this.#lookUp(digest);
    if (held === undefined) return undefined;
    this.#tickets.set(digest, held.ticket);
    this.#holders.set(held.user.id, held.user);
    this.#serverGeneration = held.serverGeneration;
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
