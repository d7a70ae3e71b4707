import type { Digest, HeldTicket } from '../../../src/core/domain/ticket.ts';
import { chain } from '../../../src/core/maybe-promise.ts';
import {
  type ReadUnit,
  type Store,
  StoreUnavailable,
  type Tickets,
  type TicketsRead,
  type WriteUnit,
} from '../../../src/core/storage/store.ts';
import { withMembers } from '../../../src/core/storage/unit-members.ts';

const OUT_OF_REACH = 'the engine is out of reach';

/** The store of one instance, with the faults that break the promise of a log-out. A test plants one, and mends it. */
export class FaultyStore implements Store {
  readonly #store: Store;
  readonly #cache = new Map<Digest, HeldTicket>();
  #lastIssue: (unit: WriteUnit) => Promise<unknown> = async () => undefined;
  /** Whether tickets that were found once are found in memory. */
  #readsCache = false;
  #isCutOff = false;

  constructor(store: Store) {
    this.#store = store;
  }

  async read<T>(work: (unit: ReadUnit) => T | Promise<T>): Promise<T> {
    if (this.#isCutOff && !this.#readsCache) throw new StoreUnavailable(OUT_OF_REACH);
    return this.#store.read((unit) => work(withMembers(unit, { tickets: this.#cached(unit.tickets) })));
  }

  async write<T>(work: (unit: WriteUnit) => Promise<T>): Promise<T> {
    if (this.#isCutOff) throw new StoreUnavailable(OUT_OF_REACH);
    return this.#store.write((unit) => work(withMembers(unit, { tickets: this.#noting(unit.tickets) })));
  }

  close(): Promise<void> {
    return this.#store.close();
  }

  /** From now on a cache is told of nothing that others revoke, until {@link mend}. */
  tellLate(): void {
    this.#readsCache = true;
  }

  /** Cuts the engine off until {@link mend}. If the store `failsOpen`, what it found before stands in for the engine. */
  cutOff({ failsOpen }: { readonly failsOpen: boolean }): void {
    this.#isCutOff = true;
    this.#readsCache = failsOpen;
  }

  /** The cache is told of everything, and the engine is reached again. */
  mend(): void {
    this.#readsCache = false;
    this.#isCutOff = false;
    this.#cache.clear();
  }

  /** Writes the ticket once more that was issued last, as if its write had not been acknowledged. */
  async retryIssue(): Promise<void> {
    await this.#store.write(this.#lastIssue);
  }

  #cached(tickets: TicketsRead): TicketsRead {
    const find = (digest: Digest) => {
      const cached = this.#cache.get(digest);
      if (cached !== undefined && this.#readsCache) return cached;
      return chain(tickets.find(digest), (ticket) => {
        if (ticket !== undefined) this.#cache.set(digest, ticket);
        return ticket;
      });
    };
    return { ...tickets, find };
  }

  #noting(tickets: Tickets): Tickets {
    return {
      ...tickets,
      issue: async (ticket, redraw) => {
        const digest = await tickets.issue(ticket, redraw);
        this.#lastIssue = (unit) => unit.tickets.issue({ ...ticket, digest });
        return digest;
      },
    };
  }
}
