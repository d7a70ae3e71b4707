import type { Event } from '../domain/event.ts';
import { type Digest, type HeldTicket, type Lifetime, useIsDue } from '../domain/ticket.ts';
import type { Store } from '../storage/store.ts';

/** How long book-keeping that nobody waits for is gathered at most, in milliseconds: what a crash may lose. */
const GATHERED_FOR = 1_000;
/** Different tries gathered at most; further ones are counted together, under no name. */
const MOST_TALLIES = 10_000;

/** The book-keeping of the gate that no answer waits for: uses of tickets, and counts of refused tries. */
export class Bookkeeping {
  readonly #store: Store;
  readonly #lifetime: Lifetime;
  readonly #onFault: (fault: unknown) => void;
  #uses = new Map<Digest, number>();
  #tallies = new Map<string, { event: Event; times: number }>();
  #timer: NodeJS.Timeout | undefined;
  #dueAt = Number.POSITIVE_INFINITY;

  constructor(store: Store, lifetime: Lifetime, onFault: (fault: unknown) => void) {
    this.#store = store;
    this.#lifetime = lifetime;
    this.#onFault = onFault;
  }

  /** Notes a use of a ticket, to be written when it is due. */
  used({ ticket }: HeldTicket, now: number): void {
    if (!useIsDue(ticket, now, this.#lifetime)) return;
    this.#uses.set(ticket.digest, now);
    // Close to its end a ticket must not wait: the next request would find it expired.
    const { idle } = this.#lifetime;
    this.#schedule(now - ticket.usedAt > idle - 2 * GATHERED_FOR ? 0 : Math.min(GATHERED_FOR, idle / 10));
  }

  /** Counts a try that was refused without work. */
  tally(event: Event): void {
    const own = [event.kind, event.user, event.from, event.reason].join('\0');
    const hasRow = this.#tallies.has(own) || this.#tallies.size < MOST_TALLIES;
    const key = hasRow ? own : event.kind;
    const gathered = this.#tallies.get(key);
    if (gathered !== undefined) gathered.times += 1;
    else this.#tallies.set(key, { event: hasRow ? event : { at: event.at, kind: event.kind }, times: 1 });
    this.#schedule(GATHERED_FOR);
  }

  /** Writes all that is gathered. */
  async flush(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#dueAt = Number.POSITIVE_INFINITY;
    const uses = [...this.#uses];
    const tallies = [...this.#tallies.values()];
    if (uses.length === 0 && tallies.length === 0) return;
    this.#uses = new Map();
    this.#tallies = new Map();
    try {
      const fault = await this.#store.write(async (unit) => {
        for (const [digest, at] of uses) await unit.tickets.use(digest, at);
        return unit.aside(async () => {
          for (const { event, times } of tallies) await unit.events.tally(event, times);
        });
      });
      if (fault !== undefined) this.#onFault(fault);
    } catch (fault) {
      this.#onFault(fault);
    }
  }

  #schedule(delay: number): void {
    const dueAt = performance.now() + delay;
    if (dueAt >= this.#dueAt) return;
    clearTimeout(this.#timer);
    this.#dueAt = dueAt;
    this.#timer = setTimeout(() => void this.flush(), delay).unref();
  }
}
