import { setTimeout as pause } from 'node:timers/promises';
import { FAMILIAR_FOR } from '../domain/lockout.ts';
import { type KeptTicket, type Lifetime, shortDigest, stateOf } from '../domain/ticket.ts';
import type { Store, TicketOnPage, TicketPlace, WriteUnit } from './store.ts';

/** What the sweeper works with. Times in milliseconds. */
export interface SweeperParts {
  readonly store: Store;
  readonly lifetime: Lifetime;
  readonly eventsKeep: number;
  readonly clock: () => number;
  readonly onFault: (fault: unknown) => void;
}

const PAGE = 500;
/** A page with so many dead tickets means that the sweeper is behind: it goes on without a rest. */
const BEHIND = PAGE / 2;
/** Tickets that one unit ends: with a ticket store elsewhere each takes several round trips, and writers wait meanwhile. */
const ENDED_AT_ONCE = 25;
const BETWEEN_WALKS = 15_000;
/** A batch is followed by a pause of so many times its own length: looking at live tickets takes a hundredth of a core. */
const REST = 100;
/** No pause is longer, in milliseconds: a batch that takes long waits for a disk, for a server or for this process to go on. */
const LONGEST_REST = 1_000;

/**
 * Walks over the tickets in small batches, removes the dead ones and counts the live ones; then, in batches too, addresses
 * that are no longer familiar and old events.
 */
export class Sweeper {
  readonly #parts: SweeperParts;
  readonly #stopping = new AbortController();
  #walking: Promise<void> | undefined;
  #live = 0;

  constructor(parts: SweeperParts) {
    this.#parts = parts;
  }

  /** The live tickets that the last whole walk counted. */
  get liveTickets(): number {
    return this.#live;
  }

  start(): void {
    this.#walking = this.#walkOn();
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#walking;
  }

  /** One whole walk. A fault in one part of it is told, and keeps no other part back. */
  async walk(): Promise<void> {
    const { clock, eventsKeep, onFault } = this.#parts;
    for (const part of [
      () => this.#sweepTickets(),
      () => this.#sweepAll(({ attempts }) => attempts.sweepFamiliar(clock() - FAMILIAR_FOR, PAGE)),
      () => this.#sweepAll(({ events }) => events.sweep(clock() - eventsKeep, PAGE)),
    ]) {
      await part().catch((fault: unknown) => {
        if (!this.#stopping.signal.aborted) onFault(fault);
      });
      if (this.#stopping.signal.aborted) return;
    }
  }

  async #walkOn(): Promise<void> {
    while (!this.#stopping.signal.aborted) {
      await this.walk();
      await this.#pause(BETWEEN_WALKS).catch(() => undefined);
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
      if (page.length < PAGE) break;
      after = page.at(-1)?.ticket;
      if (dead < BEHIND) await this.#rest(began);
      else this.#stopping.signal.throwIfAborted();
    }
    this.#live = live;
  }

  /** Removes batch by batch, until a batch is not full. A full one means that it is behind: it does not rest then. */
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

  /** Ends those of the tickets that are dead still: a use may have been written since they were looked at. */
  async #end(unit: WriteUnit, tickets: readonly KeptTicket[], now: number): Promise<void> {
    for (const { digest } of tickets) {
      const held = await unit.tickets.find(digest);
      const state = held === undefined ? 'invalid' : stateOf(held, now, this.#parts.lifetime);
      if (state === 'valid' || state === 'suspended') continue;
      if (!(await unit.tickets.end(digest)) || state !== 'expired') continue;
      await unit.events.append({
        at: now,
        kind: 'expiry',
        user: held?.user.name,
        digest: shortDigest(digest),
      });
    }
  }
}
