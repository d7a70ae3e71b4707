import { type ApiKey, keyUseIsDue } from '../domain/api-key.ts';
import type { Event } from '../domain/event.ts';
import { type Digest, type HeldTicket, type Lifetime, useIsDue } from '../domain/ticket.ts';
import type { Store, WriteUnit } from '../storage/store.ts';
import { RowLimiter, type WriteBatch, WriteBuffer, type WriteUse } from './write-buffer.ts';

/** How long uses and counts stay in the buffer at most, in milliseconds. A crash loses what is in it. */
const BUFFERED_FOR = 1_000;
/** Milliseconds before a write that failed is tried again. */
const RETRY_AFTER = 1_000;

const writeKeyUse: WriteUse = ({ apiKeys }, name, at) => apiKeys.use(name, at);

async function useParent({ ticketParents, tickets }: WriteUnit, digest: Digest, at: number): Promise<void> {
  const parent = await ticketParents.parentOf(digest);
  if (parent !== undefined) await tickets.use(parent, at);
}

/**
 * Writes uses of tickets and counts of refused tries; no answer waits for these writes. What the store cannot write is kept
 * and tried again until it can.
 */
export class Bookkeeping {
  readonly #store: Store;
  readonly #lifetime: Lifetime;
  readonly #onFault: (fault: unknown) => void;
  #usesParents = false;
  readonly #rows = new RowLimiter();
  #buffer = new WriteBuffer();
  #timer: NodeJS.Timeout | undefined;
  #dueAt = Number.POSITIVE_INFINITY;
  #notBefore = 0;
  #writing = Promise.resolve();
  #next: Promise<void> | undefined;
  #closed = false;

  /** Whether no login and no log-out happens without its event. */
  readonly requiresEvents: boolean;

  constructor(store: Store, lifetime: Lifetime, onFault: (fault: unknown) => void, requiresEvents = false) {
    this.requiresEvents = requiresEvents;
    this.#store = store;
    this.#lifetime = lifetime;
    this.#onFault = onFault;
  }

  /** From now on a use of a ticket counts as one of the ticket that it ends with, too. */
  useParents(): void {
    this.#usesParents = true;
  }

  /** Notes a use of a ticket, to be written when it is due. */
  used({ ticket }: HeldTicket, now: number): void {
    if (!useIsDue(ticket, now, this.#lifetime)) return;
    this.#buffer.use(ticket.digest, now);
    // Close to its end a ticket must not wait: the next request would find it expired.
    const { idle } = this.#lifetime;
    this.#schedule(now - ticket.usedAt > idle - 2 * BUFFERED_FOR ? 0 : Math.min(BUFFERED_FOR, idle / 10));
  }

  /** Notes a use of an API key, to be written when it is due. */
  usedKey(key: ApiKey, now: number): void {
    if (keyUseIsDue(key, now)) this.usedCredential(writeKeyUse, key.name, now);
  }

  /** Notes a use of a credential other than a ticket, to be written within a second. `write` is the same for all of its kind. */
  usedCredential(write: WriteUse, id: string, now: number): void {
    this.#buffer.useCredential(write, id, now);
    this.#schedule(BUFFERED_FOR);
  }

  /** Counts a refused try. */
  tally(event: Event): void {
    this.#buffer.tally(this.#rows.rowOf(event));
    this.#schedule(BUFFERED_FOR);
  }

  /** Writes the whole buffer after the write that is in progress. What cannot be written stays in the buffer. */
  flush(): Promise<void> {
    clearTimeout(this.#timer);
    this.#dueAt = Number.POSITIVE_INFINITY;
    // A flush that waits already will write this, too. So at most one waits for a slow store.
    this.#next ??= this.#writing.then(() => {
      this.#next = undefined;
      this.#writing = this.#writeBuffer();
      return this.#writing;
    });
    return this.#next;
  }

  /** Writes the whole buffer for the last time. What cannot be written then is lost. */
  async close(): Promise<void> {
    this.#closed = true;
    await this.flush();
  }

  async #writeBuffer(): Promise<void> {
    const taken = this.#buffer;
    this.#buffer = new WriteBuffer();
    try {
      for (let part = taken.next(); part !== undefined; part = taken.next()) {
        await this.#write(part);
        taken.drop(part);
      }
    } catch (fault) {
      this.#onFault(fault);
      taken.add(this.#buffer);
      this.#buffer = taken;
      this.#notBefore = performance.now() + RETRY_AFTER;
      this.#schedule(0);
    }
  }

  async #write({ uses, ofCredentials, tallies }: WriteBatch): Promise<void> {
    const fault = await this.#store.write(async (unit) => {
      for (const [digest, at] of uses) await unit.tickets.use(digest, at);
      if (this.#usesParents) await Promise.all(uses.map((use) => useParent(unit, ...use)));
      for (const [id, at] of ofCredentials?.uses ?? []) await ofCredentials?.write(unit, id, at);
      return unit.aside(async () => {
        for (const [, { event, times }] of tallies) await unit.events.tally(event, times);
      });
    });
    // Not tried again: the store wrote the rest of the unit, so it would fail at these each time and block all later counts.
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
