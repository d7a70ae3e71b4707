import { setTimeout as pause } from 'node:timers/promises';
import { FAMILIAR_FOR } from '../domain/lockout.ts';
import { type KeptTicket, type Lifetime, shortDigest, stateOf } from '../domain/ticket.ts';
import type { ReadUnit, Store, TicketOnPage, TicketPlace, WriteUnit } from './store.ts';

/** Up to when entries are out of date, in epoch milliseconds. */
export interface SweepTimes {
  readonly now: number;
  /** Older events are not kept. */
  readonly eventsSince: number;
}

/** What a capability removes when its time is over. */
export interface Sweep {
  /** Removes up to `limit` entries that are out of date, and returns how many. Each walk calls it until a batch is not full. */
  batch?(unit: WriteUnit, times: SweepTimes, limit: number): Promise<number>;
  /**
   * The removals of up to `limit` entries that expired by `now`, each for a unit of its own: it returns false if the entry is gone
   * already. They do not wait for a walk.
   */
  removals?(
    unit: ReadUnit,
    now: number,
    limit: number,
  ): Promise<readonly ((unit: WriteUnit) => Promise<boolean>)[]>;
}

/** What the sweeper works with. Times are in milliseconds. */
export interface SweeperParts {
  readonly store: Store;
  readonly lifetime: Lifetime;
  readonly eventsKeep: number;
  /** What the capabilities remove. */
  readonly sweeps: readonly Sweep[];
  readonly clock: () => number;
  readonly onFault: (fault: unknown) => void;
}

const PAGE = 500;
/** After a page with this many dead tickets the sweeper goes on without a pause: it is behind. */
const BEHIND = PAGE / 2;
/** How many tickets one unit ends: in Redis each takes several round trips, and other write units wait meanwhile. */
const ENDED_AT_ONCE = 25;
/** After how many milliseconds the sweeper checks again a ticket that ends with something else. */
export const PARENT_CHECK = 24 * 60 * 60_000;
const BETWEEN_WALKS = 15_000;
/** The pause between two rounds of removals of what expired: they do not wait for a walk, which may take many minutes. */
const BETWEEN_REMOVALS = 15_000;
/** The pause after a batch, in multiples of the batch's own time: the sweeper takes a hundredth of a core. */
const REST = 100;
/** The longest pause, in milliseconds: a slow batch waited for a disk or a server, and used no core. */
const LONGEST_REST = 1_000;

/**
 * Reads all tickets in small batches, removes the dead ones and counts the live ones. Then it removes familiar addresses
 * that are out of date, old events, and what the capabilities have out of date, in batches too. Beside that it removes what
 * expires in the capabilities soon after.
 */
export class Sweeper {
  readonly #parts: SweeperParts;
  readonly #stopping = new AbortController();
  #sweeping: Promise<unknown> | undefined;
  #live = 0;
  #sweptAt = 0;

  constructor(parts: SweeperParts) {
    this.#parts = parts;
  }

  /** How many live tickets the last complete walk counted. */
  get liveTickets(): number {
    return this.#live;
  }

  /** When the sweeper was started or last read a page of tickets, in epoch milliseconds. */
  get sweptAt(): number {
    return this.#sweptAt;
  }

  start(): void {
    this.#sweptAt = this.#parts.clock();
    this.#sweeping = Promise.all([
      this.#repeat(() => this.walk(), BETWEEN_WALKS),
      this.#repeat(() => this.#removeExpired(), BETWEEN_REMOVALS),
    ]);
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#sweeping;
  }

  /** Walks once over everything. A fault in one part is reported, and the other parts go on. */
  async walk(): Promise<void> {
    const { clock, eventsKeep, sweeps } = this.#parts;
    const times = () => ({ now: clock(), eventsSince: clock() - eventsKeep });
    for (const part of [
      () => this.#sweepTickets(),
      () => this.#sweepParents(),
      () => this.#sweepAll(({ attempts }) => attempts.sweepFamiliar(clock() - FAMILIAR_FOR, PAGE)),
      () => this.#sweepAll(({ events }) => events.sweep(clock() - eventsKeep, PAGE)),
      ...sweeps.map(({ batch }) => async () => {
        if (batch !== undefined) await this.#sweepAll((unit) => batch(unit, times(), PAGE));
      }),
    ]) {
      await this.#reporting(part);
      if (this.#stopping.signal.aborted) return;
    }
  }

  /** Removes what has expired, of each capability in turn. A fault of one is reported, and the others go on. */
  async #removeExpired(): Promise<void> {
    for (const { removals } of this.#parts.sweeps) {
      if (removals !== undefined) await this.#reporting(() => this.#removeBy(removals));
      if (this.#stopping.signal.aborted) return;
    }
  }

  /** Does the removals of a capability, each in a unit of its own. */
  async #removeBy(removals: NonNullable<Sweep['removals']>): Promise<void> {
    const { store, clock } = this.#parts;
    const now = clock();
    for (;;) {
      const expired = await store.read((unit) => removals(unit, now, PAGE));
      let removed = 0;
      for (const remove of expired) if (await store.write(remove)) removed += 1;
      if (expired.length < PAGE || removed === 0) return;
      this.#stopping.signal.throwIfAborted();
    }
  }

  /** Does the work, and reports a fault of it. */
  async #reporting(work: () => Promise<void>): Promise<void> {
    await work().catch((fault: unknown) => {
      if (!this.#stopping.signal.aborted) this.#parts.onFault(fault);
    });
  }

  async #repeat(work: () => Promise<void>, between: number): Promise<void> {
    while (!this.#stopping.signal.aborted) {
      await work();
      await this.#pause(between).catch(() => undefined);
    }
  }

  /** Removes the dead tickets, and counts the live ones. */
  async #sweepTickets(): Promise<void> {
    let live = 0;
    let after: TicketPlace | undefined;
    for (;;) {
      const began = performance.now();
      const page = await this.#parts.store.read((unit) => unit.tickets.page(after, PAGE));
      const { valid, dead } = await this.#sweepPage(page);
      live += valid;
      this.#sweptAt = this.#parts.clock();
      if (page.length < PAGE) break;
      after = page.at(-1)?.ticket;
      if (dead < BEHIND) await this.#rest(began);
      else this.#stopping.signal.throwIfAborted();
    }
    this.#live = live;
  }

  /** Forgets the parents of tickets that are gone. */
  async #sweepParents(): Promise<void> {
    const { store, clock } = this.#parts;
    const now = clock();
    for (;;) {
      const due = await store.read(({ ticketParents }) => ticketParents.due(now, PAGE));
      if (due.length === 0) return;
      const tickets = await store.read((unit) => Promise.all(due.map((digest) => unit.tickets.find(digest))));
      await store.write(async ({ ticketParents }) => {
        for (const [at, digest] of due.entries())
          if (tickets[at] === undefined) await ticketParents.remove(digest);
          else await ticketParents.postpone(digest, now + PARENT_CHECK);
      });
      this.#stopping.signal.throwIfAborted();
    }
  }

  /** Removes batch after batch without a pause, until a batch is not full. */
  async #sweepAll(remove: (unit: WriteUnit) => Promise<number>): Promise<void> {
    while ((await this.#parts.store.write(remove)) === PAGE) this.#stopping.signal.throwIfAborted();
  }

  #rest(began: number): Promise<void> {
    return this.#pause(Math.min((performance.now() - began) * REST, LONGEST_REST));
  }

  #pause(length: number): Promise<void> {
    return pause(length, undefined, { signal: this.#stopping.signal, ref: false });
  }

  /** Removes the dead tickets of a page, with an event for each that expired. Returns how many were valid and how many dead. */
  async #sweepPage(page: readonly TicketOnPage[]): Promise<{ valid: number; dead: number }> {
    const { store, lifetime, clock } = this.#parts;
    const now = clock();
    const serverGeneration = await store.read((unit) => unit.tickets.serverGeneration());
    const states = page.map(({ ticket, user }) => ({
      ticket,
      state: stateOf({ ticket, user, serverGeneration }, now, lifetime),
    }));
    const dead = states.filter(({ state }) => state === 'expired' || state === 'invalid');
    for (let from = 0; from < dead.length; from += ENDED_AT_ONCE) {
      const some = dead.slice(from, from + ENDED_AT_ONCE).map(({ ticket }) => ticket);
      await store.write((unit) => this.#end(unit, some, now));
    }
    return { valid: states.filter(({ state }) => state === 'valid').length, dead: dead.length };
  }

  /** Ends the tickets that are still dead: a use may have been written since they were read. */
  async #end(unit: WriteUnit, tickets: readonly KeptTicket[], now: number): Promise<void> {
    for (const { digest } of tickets) {
      const heldTicket = await unit.tickets.find(digest);
      const state = heldTicket === undefined ? 'invalid' : stateOf(heldTicket, now, this.#parts.lifetime);
      if (state === 'valid' || state === 'suspended') continue;
      if (!(await unit.tickets.end(digest)) || state !== 'expired') continue;
      await unit.events.append({
        at: now,
        kind: 'expiry',
        user: heldTicket?.user.name,
        digest: shortDigest(digest),
      });
    }
  }
}
