import type { Digest, HeldTicket } from '../../core/domain/ticket.ts';
import type { Changes } from './changes.ts';
import { TwoGenerationCache } from './two-generation-cache.ts';

/** A ticket with its user as they were read. */
interface CachedTicket {
  readonly heldTicket: HeldTicket;
  readonly ticketPlace: number;
  readonly userPlace: number;
  /** When they were asked for, by the clock of the changes. */
  readonly since: number;
}

/**
 * The tickets that were looked up lately, each with its user. A change of a ticket is noted under its digest, one of a user under the
 * user's id, and one of the server's generation as a change of everything.
 */
export class TicketCache {
  readonly #changes: Changes;
  readonly #tickets = new TwoGenerationCache<Digest, CachedTicket>();

  constructor(changes: Changes) {
    this.#changes = changes;
  }

  /** The ticket, if it is cached and none of the changes that were noted so far concerns it. */
  find(digest: Digest): HeldTicket | undefined {
    const cached = this.#tickets.get(digest);
    if (cached === undefined) return undefined;
    const { heldTicket, ticketPlace, userPlace, since } = cached;
    const isValid =
      this.#changes.isUnchanged(ticketPlace, since) && this.#changes.isUnchanged(userPlace, since);
    return isValid ? heldTicket : undefined;
  }

  /** Keeps a ticket that was asked for at this time of the changes. */
  keep(heldTicket: HeldTicket, since: number): void {
    const { digest } = heldTicket.ticket;
    const ticketPlace = this.#changes.placeOf(digest);
    const userPlace = this.#changes.placeOf(heldTicket.user.id);
    this.#tickets.set(digest, { heldTicket, ticketPlace, userPlace, since });
  }
}
