import {
  type Digest,
  type HeldTicket,
  type KeptTicket,
  oldestFirst,
  type TicketOrigin,
} from '../../core/domain/ticket.ts';
import { holderOf } from '../../core/domain/user.ts';
import {
  type Attempts,
  type CounterKey,
  type CounterKeys,
  eachCounter,
  type Tickets,
  type Users,
  type WriteUnit,
} from '../../core/storage/store.ts';
import { endingChildren, withMembers } from '../../core/storage/unit-members.ts';
import type { Counters, NamedCounter } from './counters.ts';
import { ChangedGroups, type GroupCache } from './group-cache.ts';
import { partitionOfDigest, partitionOfUser } from './partitions.ts';
import type { RedisTickets } from './tickets.ts';

/** What Redis keeps of a user: a change of anything else leaves it alone. */
const CACHED = ['administrator', 'disabled', 'lockedUntil', 'generation'] as const;

/** A ticket that a unit has issued or ended. */
interface StagedTicket {
  readonly fate: 'issued' | 'ended';
  readonly ticket: KeptTicket;
}

/** What a unit is going to write to Redis: nothing is written before the unit's work is done. */
export class Staged {
  tickets = new Map<Digest, StagedTicket>();
  /** The origins of tickets that the unit has issued. */
  origins = new Map<Digest, TicketOrigin>();
  /** The last use of each ticket, in epoch milliseconds. */
  uses = new Map<Digest, number>();
  /** The generation of its user that a ticket moves to. */
  generations = new Map<Digest, number>();
  /** Undefined for a counter that is removed. */
  counters = new Map<CounterKey, NamedCounter | undefined>();
  /** Users whose cached value is outdated once the unit commits. */
  users = new Set<number>();
  readonly groups = new ChangedGroups();
  /** Whether the server's generation is raised. */
  raises = false;
  trim: { readonly most: number; readonly now: number } | undefined;

  /** A copy, to {@link restore} later. */
  snapshot(): Staged {
    const copy = new Staged();
    copy.restore(this);
    return copy;
  }

  restore({ tickets, origins, uses, generations, counters, users, groups, raises, trim }: Staged): void {
    this.tickets = new Map(tickets);
    this.origins = new Map(origins);
    this.uses = new Map(uses);
    this.generations = new Map(generations);
    this.counters = new Map(counters);
    this.users = new Set(users);
    this.groups.restore(groups);
    this.raises = raises;
    this.trim = trim;
  }
}

/** What units read from Redis. */
export interface RedisReads {
  readonly tickets: RedisTickets;
  readonly groupCache: GroupCache;
  readonly counters: Counters;
}

/** How many digests are drawn at most for a ticket: one of 256 lies in its user's partition. */
const MOST_DRAWS = 4_096;

/** Draws digests until one lies in the user's partition: a validation then finds ticket and user in one trip. */
function besideUser({ digest, userId }: KeptTicket, redraw: (() => Digest) | undefined): Digest {
  const partition = partitionOfUser(userId);
  let drawn = digest;
  if (redraw !== undefined)
    for (let left = MOST_DRAWS; left > 0 && partitionOfDigest(drawn) !== partition; left -= 1)
      drawn = redraw();
  return drawn;
}

/** A write unit of the database, with tickets and counters that are staged for Redis. */
export class RedisUnit {
  readonly staged = new Staged();
  readonly #sql: WriteUnit;
  readonly #kept: RedisReads;
  /** Users whose rows this unit has locked. */
  readonly #locked = new Set<number>();

  constructor(sql: WriteUnit, reads: RedisReads) {
    this.#sql = sql;
    this.#kept = reads;
  }

  /** The unit as the port has it. */
  get unit(): WriteUnit {
    const [users, attempts] = [this.#users(), this.#attempts()];
    const ending = endingChildren(
      { tickets: this.#tickets(), events: this.#sql.events },
      () => this.#sql.ticketParents,
      (digest, children) => this.#end(digest, children),
    );
    const groups = this.staged.groups.noting(this.#sql.groups);
    const aside = (work: () => Promise<void>) => this.#aside(work);
    return withMembers(this.#sql, { users, ...ending, attempts, groups, aside });
  }

  async #aside(work: () => Promise<void>): Promise<unknown> {
    const before = this.staged.snapshot();
    const fault = await this.#sql.aside(work);
    if (fault !== undefined) this.staged.restore(before);
    return fault;
  }

  /** Locks the user's row until the unit ends: other units that would change the user or end its tickets wait. */
  async #lock(userId: number): Promise<void> {
    if (this.#locked.has(userId)) return;
    await this.#sql.users.find(userId);
    this.#locked.add(userId);
  }

  /** Locks a user whose cached value the unit outdates. */
  async #outdate(id: number): Promise<void> {
    await this.#lock(id);
    this.staged.users.add(id);
  }

  #users(): Users {
    const { users } = this.#sql;
    return {
      ...users,
      change: async (id, change) => {
        if (CACHED.some((field) => field in change)) await this.#outdate(id);
        await users.change(id, change);
      },
      rename: async (id, name, key) => {
        await this.#outdate(id);
        return users.rename(id, name, key);
      },
      remove: async (id) => {
        await this.#outdate(id);
        this.staged.groups.ofUsers.add(id);
        await users.remove(id);
      },
    };
  }

  #tickets(): Tickets {
    const { tickets } = this.#sql;
    const { staged } = this;
    return {
      serverGeneration: () => tickets.serverGeneration(),
      find: (digest) => this.#find(digest),
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
      originsOf: async (tickets) => {
        const origins = await this.#kept.tickets.originsOf(tickets);
        return tickets.map(({ digest }, index) => {
          if (staged.tickets.get(digest)?.fate === 'ended') return undefined;
          return staged.origins.get(digest) ?? origins[index];
        });
      },
      setOrigin: async ({ digest }, origin) => void staged.origins.set(digest, origin),
      // The ticket as it was before the lock may have ended.
      hold: async (digest) => (await this.#find(digest)) && this.#find(digest),
      end: async (digest) => (await this.#end(digest))[0],
      use: async (digest, at) => {
        staged.uses.set(digest, Math.max(at, staged.uses.get(digest) ?? at));
      },
      moveToGeneration: async (digest, userGeneration) => {
        const moved = staged.generations.get(digest) ?? userGeneration;
        staged.generations.set(digest, Math.max(userGeneration, moved));
        const own = staged.tickets.get(digest);
        if (own?.fate === 'issued')
          staged.tickets.set(digest, { fate: 'issued', ticket: this.#moved(own.ticket) });
      },
      raiseServerGeneration: async () => {
        // Takes the lock that a repair of the cached generation takes too.
        await this.#sql.lock('users');
        staged.raises = true;
        return tickets.raiseServerGeneration();
      },
    };
  }

  async #find(digest: Digest): Promise<HeldTicket | undefined> {
    const { users, tickets } = this.#sql;
    const found = await this.#ticket(digest);
    if (found === undefined) return undefined;
    const user = await users.find(found.userId);
    if (user === undefined) return undefined;
    this.#locked.add(user.id);
    const isOwn = this.staged.tickets.has(digest);
    const ticket = isOwn ? found : await this.#kept.tickets.settled(found, user);
    if (ticket === undefined) return undefined;
    return { ticket, user: holderOf(user), serverGeneration: await tickets.serverGeneration() };
  }

  async #ticket(digest: Digest): Promise<KeptTicket | undefined> {
    const own = this.staged.tickets.get(digest);
    if (own?.fate === 'ended') return undefined;
    const ticket = own?.ticket ?? (await this.#kept.tickets.ticket(digest));
    return ticket && this.#moved(ticket);
  }

  /** The ticket with the last use and the generation that this unit moves it to. */
  #moved(ticket: KeptTicket): KeptTicket {
    const usedAt = Math.max(ticket.usedAt, this.staged.uses.get(ticket.digest) ?? ticket.usedAt);
    const { userGeneration } = ticket;
    const isMoved = this.staged.generations.get(ticket.digest) === userGeneration + 1;
    return { ...ticket, usedAt, userGeneration: isMoved ? userGeneration + 1 : userGeneration };
  }

  #own(userId: number, fate: 'issued' | 'ended'): KeptTicket[] {
    const all = [...this.staged.tickets.values()];
    return all.flatMap((own) => (own.fate === fate && own.ticket.userId === userId ? [own.ticket] : []));
  }

  /** Includes pending tickets of other units: they count against the user's limit. */
  async #listOf(userId: number): Promise<KeptTicket[]> {
    const tickets = await this.#kept.tickets.listOf(userId, true);
    const there = tickets.filter(({ digest }) => !this.staged.tickets.has(digest));
    const user = await this.#sql.users.find(userId);
    const settled = await Promise.all(
      there.map((ticket) => (user === undefined ? ticket : this.#kept.tickets.settled(ticket, user, true))),
    );
    const stored = settled.filter((ticket) => ticket !== undefined);
    return [...stored, ...this.#own(userId, 'issued')].map((ticket) => this.#moved(ticket)).sort(oldestFirst);
  }

  async #countOf(userId: number): Promise<number> {
    const count = await this.#kept.tickets.countOf(userId);
    return count + this.#own(userId, 'issued').length - this.#own(userId, 'ended').length;
  }

  /** Ends the ticket alone. The database reads the children right behind the lock, in the same trip. */
  async #end(digest: Digest, children = async (): Promise<Digest[]> => []): Promise<[boolean, Digest[]]> {
    const own = this.staged.tickets.get(digest);
    if (own?.fate === 'ended') return [false, []];
    if (own !== undefined) {
      this.staged.origins.delete(digest);
      return [this.staged.tickets.delete(digest), await children()];
    }
    const seen = await this.#kept.tickets.ticket(digest, true);
    if (seen === undefined) return [false, []];
    const [, found] = await Promise.all([this.#lock(seen.userId), children()]);
    // Another unit may have ended it before the row was locked.
    const ticket = await this.#kept.tickets.ticket(digest, true);
    if (ticket !== undefined) this.staged.tickets.set(digest, { fate: 'ended', ticket });
    return [ticket !== undefined, found];
  }

  #attempts(): Attempts {
    const { attempts } = this.#sql;
    const { staged } = this;
    return {
      ...attempts,
      throttleState: async (attempt) => {
        const { keys } = attempt;
        // Locks the user and the counters until this unit ends.
        const state = await attempts.throttleState(attempt);
        const found = await this.#kept.counters.findAll(keys);
        const own = (which: keyof CounterKeys) =>
          staged.counters.has(keys[which]) ? staged.counters.get(keys[which])?.counter : found[which];
        return { ...state, counters: eachCounter(own) };
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
