import { type Digest, type KeptTicket, oldestFirst } from '../../domain/ticket.ts';
import { holderOf } from '../../domain/user.ts';
import type { Attempts, CounterKeys, Tickets, Users, WriteUnit } from '../store.ts';
import { eachCounter } from '../store.ts';
import type { Counters } from './counters.ts';
import { partitionOfDigest, partitionOfUser } from './partitions.ts';
import { Staged } from './staged.ts';
import type { TicketsKept } from './tickets-kept.ts';

/** What a unit reads of Redis. */
export interface RedisReads {
  readonly tickets: TicketsKept;
  readonly counters: Counters;
}

/** How many digests are drawn at most for a ticket: one of 256 lies in its user's partition. */
const MOST_DRAWS = 4_096;

/** Draws digests until one lies in the user's partition: a validation then finds ticket and user in one trip. */
function besideUser({ digest, userId }: KeptTicket, redraw: (() => Digest) | undefined): Digest {
  const wanted = partitionOfUser(userId);
  let drawn = digest;
  if (redraw !== undefined)
    for (let left = MOST_DRAWS; left > 0 && partitionOfDigest(drawn) !== wanted; left -= 1) drawn = redraw();
  return drawn;
}

/** A write unit on the database whose tickets and counters are staged. */
export class TicketUnit {
  readonly staged = new Staged();
  readonly #sql: WriteUnit;
  readonly #kept: RedisReads;
  /** Users whose rows this unit holds. */
  readonly #held = new Set<number>();

  constructor(sql: WriteUnit, kept: RedisReads) {
    this.#sql = sql;
    this.#kept = kept;
  }

  /** The unit as the port has it. */
  get nouns(): WriteUnit {
    const [users, tickets, attempts] = [this.#users(), this.#tickets(), this.#attempts()];
    return { ...this.#sql, users, tickets, attempts, aside: (work) => this.#aside(work) };
  }

  async #aside(work: () => Promise<void>): Promise<unknown> {
    const mark = this.staged.mark();
    const fault = await this.#sql.aside(work);
    if (fault !== undefined) this.staged.restore(mark);
    return fault;
  }

  /** Holds the user's row until the unit ends: whoever else would end its tickets, or change it, waits. */
  async #hold(userId: number): Promise<void> {
    if (this.#held.has(userId)) return;
    await this.#sql.users.find(userId);
    this.#held.add(userId);
  }

  #users(): Users {
    const { users } = this.#sql;
    return {
      ...users,
      change: async (id, change) => {
        const { passwordHash: _, ...shown } = change;
        if (Object.keys(shown).length > 0) {
          await this.#hold(id);
          this.staged.users.add(id);
        }
        await users.change(id, change);
      },
      remove: async (id) => {
        await this.#hold(id);
        this.staged.users.add(id);
        await users.remove(id);
      },
    };
  }

  #tickets(): Tickets {
    const { users, tickets } = this.#sql;
    const { staged } = this;
    return {
      serverGeneration: () => tickets.serverGeneration(),
      find: async (digest) => {
        const ticket = await this.#ticket(digest);
        if (ticket === undefined) return undefined;
        const user = await users.find(ticket.userId);
        if (user === undefined) return undefined;
        this.#held.add(user.id);
        return { ticket, user: holderOf(user), serverGeneration: await tickets.serverGeneration() };
      },
      listOf: (userId) => this.#listOf(userId),
      countOf: (userId) => this.#countOf(userId),
      page: async (after, limit) => {
        const page = await this.#kept.tickets.page(after, limit, this.#sql);
        return page.filter(({ ticket }) => staged.tickets.get(ticket.digest)?.fate !== 'ended');
      },
      issue: async (ticket, redraw) => {
        const digest = besideUser(ticket, redraw);
        staged.tickets.set(digest, { fate: 'issued', ticket: { ...ticket, digest } });
        return digest;
      },
      end: (digest) => this.#end(digest),
      use: async (digest, at) => {
        staged.uses.set(digest, Math.max(at, staged.uses.get(digest) ?? at));
      },
      raiseServerGeneration: async () => {
        // Held by whoever mends what is remembered of the generation, too.
        await users.count();
        staged.raises = true;
        return tickets.raiseServerGeneration();
      },
    };
  }

  async #ticket(digest: Digest): Promise<KeptTicket | undefined> {
    const own = this.staged.tickets.get(digest);
    if (own?.fate === 'ended') return undefined;
    const ticket = own?.ticket ?? (await this.#kept.tickets.ticket(digest));
    return ticket && this.#used(ticket);
  }

  #used(ticket: KeptTicket): KeptTicket {
    const at = this.staged.uses.get(ticket.digest);
    return at === undefined || at <= ticket.usedAt ? ticket : { ...ticket, usedAt: at };
  }

  #own(userId: number, fate: 'issued' | 'ended'): KeptTicket[] {
    const all = [...this.staged.tickets.values()];
    return all.flatMap((own) => (own.fate === fate && own.ticket.userId === userId ? [own.ticket] : []));
  }

  /** With those that other units have yet to commit: they count against the user's limit. */
  async #listOf(userId: number): Promise<KeptTicket[]> {
    const kept = await this.#kept.tickets.listOf(userId, true);
    const there = kept.filter(({ digest }) => !this.staged.tickets.has(digest));
    return [...there, ...this.#own(userId, 'issued')].map((ticket) => this.#used(ticket)).sort(oldestFirst);
  }

  async #countOf(userId: number): Promise<number> {
    const kept = await this.#kept.tickets.countOf(userId);
    return kept + this.#own(userId, 'issued').length - this.#own(userId, 'ended').length;
  }

  async #end(digest: Digest): Promise<boolean> {
    const own = this.staged.tickets.get(digest);
    if (own?.fate === 'ended') return false;
    if (own !== undefined) return this.staged.tickets.delete(digest);
    const seen = await this.#kept.tickets.ticket(digest, true);
    if (seen === undefined) return false;
    await this.#hold(seen.userId);
    // Another unit may have ended it before the row was held.
    const ticket = await this.#kept.tickets.ticket(digest, true);
    if (ticket !== undefined) this.staged.tickets.set(digest, { fate: 'ended', ticket });
    return ticket !== undefined;
  }

  #attempts(): Attempts {
    const { attempts } = this.#sql;
    const { staged } = this;
    return {
      ...attempts,
      standing: async (asked) => {
        const { keys } = asked;
        // Nobody else reads or writes the user and the counters until this unit ends.
        const kept = await attempts.standing(asked);
        const found = await this.#kept.counters.findAll(keys);
        const own = (which: keyof CounterKeys) =>
          staged.counters.has(keys[which]) ? staged.counters.get(keys[which])?.counter : found[which];
        return { ...kept, counters: eachCounter(own) };
      },
      put: async (key, name, counter) => void staged.counters.set(key, { counter, name }),
      remove: async (key) => void staged.counters.set(key, undefined),
      removeOfName: async (name) => {
        for (const key of await this.#kept.counters.ofName(name))
          if (!staged.counters.has(key)) staged.counters.set(key, undefined);
        for (const [key, own] of staged.counters) if (own?.name === name) staged.counters.set(key, undefined);
      },
      trim: async (most, now) => {
        staged.trim = { most, now };
      },
    };
  }
}
