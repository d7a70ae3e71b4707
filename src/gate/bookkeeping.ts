import type { Event } from '../domain/event.ts';
import { type HeldTicket, type Lifetime, useIsDue } from '../domain/ticket.ts';
import type { Store } from '../storage/store.ts';
import { RowLimiter } from './row-limiter.ts';
import { type WriteBatch, WriteBuffer } from './write-buffer.ts';

/** How long book-keeping that nobody waits for is gathered at most, in milliseconds: what a crash may lose. */
const GATHERED_FOR = 1_000;
/** Milliseconds before a store that could not write is tried again. */
const AGAIN_AFTER = 1_000;

/**
 * The book-keeping of the gate that no answer waits for: uses of tickets, and counts of refused tries. What the store
 * cannot write is kept, and tried again until it can.
 */
export class Bookkeeping {
  readonly #store: Store;
  readonly #lifetime: Lifetime;
  readonly #onFault: (fault: unknown) => void;
  readonly #rows = new RowLimiter();
  #gathered = new WriteBuffer();
  #timer: NodeJS.Timeout | undefined;
  #dueAt = Number.POSITIVE_INFINITY;
  #notBefore = 0;
  #underWay = Promise.resolve();
  #next: Promise<void> | undefined;
  #closed = false;

  constructor(store: Store, lifetime: Lifetime, onFault: (fault: unknown) => void) {
    this.#store = store;
    this.#lifetime = lifetime;
    this.#onFault = onFault;
  }

  /** Notes a use of a ticket, to be written when it is due. */
  used({ ticket }: HeldTicket, now: number): void {
    if (!useIsDue(ticket, now, this.#lifetime)) return;
    this.#gathered.use(ticket.digest, now);
    // Close to its end a ticket must not wait: the next request would find it expired.
    const { idle } = this.#lifetime;
    this.#schedule(now - ticket.usedAt > idle - 2 * GATHERED_FOR ? 0 : Math.min(GATHERED_FOR, idle / 10));
  }

  /** Counts a try that was refused without work. */
  tally(event: Event): void {
    this.#gathered.tally(this.#rows.rowOf(event));
    this.#schedule(GATHERED_FOR);
  }

  /** Writes all that is gathered, once what is being written is done. What cannot be written is kept for another time. */
  flush(): Promise<void> {
    clearTimeout(this.#timer);
    this.#dueAt = Number.POSITIVE_INFINITY;
    // One that waits for its turn writes this, too: behind a slow store no more than one waits.
    this.#next ??= this.#underWay.then(() => {
      this.#next = undefined;
      this.#underWay = this.#writeGathered();
      return this.#underWay;
    });
    return this.#next;
  }

  /** Writes all that is gathered for the last time: what cannot be written then is lost. */
  async close(): Promise<void> {
    this.#closed = true;
    await this.flush();
  }

  async #writeGathered(): Promise<void> {
    const taken = this.#gathered;
    this.#gathered = new WriteBuffer();
    try {
      for (let part = taken.next(); part !== undefined; part = taken.next()) {
        await this.#write(part);
        taken.drop(part);
      }
    } catch (fault) {
      this.#onFault(fault);
      taken.add(this.#gathered);
      this.#gathered = taken;
      this.#notBefore = performance.now() + AGAIN_AFTER;
      this.#schedule(0);
    }
  }

  async #write({ uses, tallies }: WriteBatch): Promise<void> {
    const fault = await this.#store.write(async (unit) => {
      for (const [digest, at] of uses) await unit.tickets.use(digest, at);
      return unit.aside(async () => {
        for (const [, { event, times }] of tallies) await unit.events.tally(event, times);
      });
    });
    // Not tried again: the store writes, and not these, so they would keep all others from being counted for ever.
    if (fault !== undefined) this.#onFault(fault);
  }

  #schedule(delay: number): void {
    const now = performance.now();
    const wait = Math.max(delay, this.#notBefore - now);
    if (this.#closed || now + wait >= this.#dueAt) return;
    clearTimeout(this.#timer);
    this.#dueAt = now + wait;
    this.#timer = setTimeout(() => void this.flush(), wait).unref();
  }
}
