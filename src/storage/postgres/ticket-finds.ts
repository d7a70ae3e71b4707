import type { Digest, HeldTicket } from '../../domain/ticket.ts';
import type { Reading } from './statement.ts';
import { findTickets } from './tickets.ts';

interface PendingLookup {
  readonly digest: Digest;
  readonly found: (held: HeldTicket | undefined) => void;
  readonly fail: (error: unknown) => void;
}

/** Digests that one statement looks up at most. */
const MOST = 250;

/**
 * Looks tickets up for read units. Those that are asked for while the event loop reads what has arrived, or while others
 * are being looked up, share the next statement: alone, each costs a round trip as ever; many at once cost the server and
 * this process half of it.
 */
export class TicketFinds {
  readonly #db: Reading;
  /** Statements that may be under way at once. */
  readonly #most: number;
  #asked: PendingLookup[] = [];
  #underWay = 0;
  #isDue = false;

  constructor(db: Reading, most: number) {
    this.#db = db;
    this.#most = most;
  }

  /** The ticket as it is committed at some moment after this call. */
  find(digest: Digest): Promise<HeldTicket | undefined> {
    return new Promise((found, fail) => {
      this.#asked.push({ digest, found, fail });
      this.#lookUpSoon();
    });
  }

  #lookUpSoon(): void {
    if (this.#isDue || this.#underWay === this.#most) return;
    this.#isDue = true;
    setImmediate(() => {
      this.#isDue = false;
      void this.#lookUp();
      // More than one statement takes: the next goes by the other connection, and waits for nothing.
      if (this.#asked.length > 0) this.#lookUpSoon();
    });
  }

  async #lookUp(): Promise<void> {
    this.#underWay += 1;
    while (this.#asked.length > 0) {
      const asked = this.#asked.splice(0, MOST);
      try {
        const held = await findTickets(
          this.#db,
          asked.map(({ digest }) => digest),
        );
        for (const [place, { found }] of asked.entries()) found(held[place]);
      } catch (error) {
        for (const { fail } of asked) fail(error);
      }
    }
    this.#underWay -= 1;
  }
}
