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

/** How an engine on a server looks tickets up. */
interface TicketServer {
  /**
   * Resolves once everything is noted that was revoked before the call. Rejects when the server does not answer.
   */
  upToDate(): Promise<void>;
  /** The ticket as it is committed at some moment after the call. */
  lookUp(digest: Digest): Promise<HeldTicket | undefined>;
}

/** Looks tickets up on a server, and answers from memory what it knows once the server has told what was revoked meanwhile. */
export class CachedTicketLookup {
  readonly #changes: Changes;
  readonly #cache: TicketCache;
  readonly #server: TicketServer;

  constructor(changes: Changes, server: TicketServer) {
    this.#changes = changes;
    this.#cache = new TicketCache(changes);
    this.#server = server;
  }

  /**
   * The ticket as it is committed at some moment after this call. A cached one that does not pass is read again: another instance may have
   * written a use of it, of which no server tells.
   */
  find(digest: Digest, passes: (heldTicket: HeldTicket) => boolean): Promise<HeldTicket | undefined> {
    const cached = this.#cache.find(digest);
    if (cached === undefined || !passes(cached)) return this.#read(digest);
    return this.#server.upToDate().then(() => {
      const still = this.#cache.find(digest);
      return still !== undefined && passes(still) ? still : this.#read(digest);
    });
  }

  async #read(digest: Digest): Promise<HeldTicket | undefined> {
    const since = this.#changes.now;
    const heldTicket = await this.#server.lookUp(digest);
    if (heldTicket !== undefined) this.#cache.keep(heldTicket, since);
    return heldTicket;
  }
}
