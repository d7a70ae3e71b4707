import { randomBytes } from 'node:crypto';
import {
  bytesOf,
  type Digest,
  type KeptTicket,
  type Lifetime,
  type TicketOrigin,
} from '../../core/domain/ticket.ts';
import { holderOf } from '../../core/domain/user.ts';
import { StoreUnavailable, type WriteUnit } from '../../core/storage/store.ts';
import { allSettled, type Counters } from './counters.ts';
import { cachedStamp, lockGroups, newStamp } from './group-cache.ts';
import { keys, partitionOfDigest, partitionOfUser, partitions } from './partitions.ts';
import type { RedisServers } from './servers.ts';
import {
  ACTIVATE,
  END,
  keptFor,
  MOVE_TO_GENERATION,
  originRecord,
  PENDING,
  ticketRecord,
  USE,
  useValues,
} from './ticket-records.ts';
import type { Staged } from './units.ts';
import { type CachedValue, cachedGeneration, cachedHolder, type UserCache } from './user-cache.ts';

/**
 * How long a pending ticket and an announced move wait for the commit of their unit, and an ended ticket leaves a mark, in milliseconds:
 * longer than any unit takes.
 */
const PENDING_FOR = '60000';

/** What a commit needs of the store. */
export interface CommitParts {
  readonly servers: RedisServers;
  readonly userCache: UserCache;
  readonly counters: Counters;
  readonly lifetime: Lifetime;
  readonly clock: () => number;
}

/** A cached value that a unit has changed. */
interface ChangedValue {
  /** To be called before the commit. */
  invalidate(): Promise<void>;
  /** Caches the new value. To be called after the commit. */
  replace(): Promise<void>;
}

/**
 * Writes what a unit has staged to Redis, around the commit of the database: revocations before it, grants after it, so that
 * a crash in between can only deny.
 */
export class Commit {
  readonly #staged: Staged;
  readonly #parts: CommitParts;
  readonly #mark = `!${randomBytes(12).toString('base64url')}`;
  #changed: ChangedValue[] = [];

  constructor(staged: Staged, parts: CommitParts) {
    this.#staged = staged;
    this.#parts = parts;
  }

  /** Call this at the end of the unit's work, before its commit: ends tickets, invalidates cached users, counts failures. */
  async before(unit: WriteUnit): Promise<void> {
    const { users, raises, tickets, origins, generations, counters } = this.#staged;
    const { partitions: regrouped } = this.#staged.groups;
    if (regrouped.length > 0) await lockGroups(unit);
    for (const partition of regrouped) this.#change(cachedStamp(partition), newStamp());
    for (const id of users) {
      const user = await unit.users.find(id);
      this.#change(cachedHolder(id), user && holderOf(user));
    }
    if (raises) {
      const generation = await unit.tickets.serverGeneration();
      for (const partition of partitions) this.#change(cachedGeneration(partition), generation);
    }
    const staged = [...tickets.values()];
    await this.#noteRevocations(unit);
    // A failed statement of the unit shows here, before anything is written to Redis.
    if (staged.length > 0 && this.#changed.length === 0) await unit.tickets.serverGeneration();
    await allSettled([
      ...this.#changed.map((change) => change.invalidate()),
      ...staged.map(({ fate, ticket }) =>
        fate === 'ended' ? this.#end(ticket) : this.#prepare(ticket, origins.get(ticket.digest)),
      ),
      ...[...generations].map(([digest, generation]) => this.#announceMove(digest, generation)),
      ...[...counters].flatMap(([key, own]) =>
        own === undefined ? [] : [this.#parts.counters.put(key, own)],
      ),
    ]);
  }

  /** Call this after the commit: activates new tickets, caches what changed, moves uses and generations, removes counters. */
  async after(): Promise<void> {
    const { tickets, origins, uses, generations, counters, trim } = this.#staged;
    const { counters: stored } = this.#parts;
    const removed = [...counters].flatMap(([key, own]) => (own === undefined ? [key] : []));
    // A value that is not replaced is read from the database until it is repaired: slower, but as right.
    const replaced = this.#changed.map((change) => change.replace().catch(() => undefined));
    await Promise.all([
      ...replaced,
      ...[...tickets.values()].map(({ fate, ticket }) =>
        fate === 'issued' ? this.#activate(ticket, origins.get(ticket.digest)) : undefined,
      ),
      ...[...uses].map(([digest, at]) => this.#use(digest, at)),
      ...[...generations].map(([digest, generation]) => this.#moveToGeneration(digest, generation)),
      stored.remove(removed),
    ]);
    if (trim !== undefined) await stored.trim(trim.most, trim.now);
  }

  /** Notes in the database the users of whom this unit revokes something, since Redis may lose writes. */
  async #noteRevocations({ users }: WriteUnit): Promise<void> {
    const ended = [...this.#staged.tickets.values()].filter(({ fate }) => fate === 'ended');
    const concerned = new Set([...this.#staged.users, ...ended.map(({ ticket }) => ticket.userId)]);
    for (const id of concerned) await users.noteRevocation(id, this.#parts.clock());
  }

  #change<T>(cached: CachedValue<T>, value: T): void {
    const { userCache } = this.#parts;
    this.#changed.push({
      invalidate: () => userCache.invalidate(cached, this.#mark),
      replace: () => userCache.replace(cached, this.#mark, value),
    });
  }

  async #end({ digest, userId }: KeptTicket): Promise<void> {
    const { servers } = this.#parts;
    const index = partitionOfUser(userId);
    await servers.write(partitionOfDigest(digest).slot, END([keys.ticket(digest)], PENDING_FOR));
    // Behind the end: if the end fails, the ticket is alive and has to be listed and counted.
    await servers.write(index.slot, ['ZREM', keys.tickets(index), bytesOf(digest)]);
  }

  /** Writes the ticket as pending: other units list and count it, but no look-up finds it yet. */
  async #prepare(ticket: KeptTicket, origin: TicketOrigin | undefined): Promise<void> {
    const { servers } = this.#parts;
    const { digest, userId } = ticket;
    const index = partitionOfUser(userId);
    const record = PENDING + ticketRecord(ticket, origin);
    await servers.write(partitionOfDigest(digest).slot, [
      'SET',
      keys.ticket(digest),
      record,
      'PX',
      PENDING_FOR,
    ]);
    await servers.write(index.slot, ['ZADD', keys.tickets(index), String(userId), bytesOf(digest)]);
  }

  async #activate(ticket: KeptTicket, origin: TicketOrigin | undefined): Promise<void> {
    const { servers, lifetime, clock } = this.#parts;
    const { digest } = ticket;
    const milliseconds = keptFor(ticket, lifetime, clock());
    const words = ACTIVATE(
      [keys.ticket(digest)],
      ...[ticketRecord(ticket, origin), milliseconds, origin === undefined ? '' : originRecord(origin)],
    );
    if ((await servers.write(partitionOfDigest(digest).slot, words)) === -1)
      throw new StoreUnavailable('a new ticket was lost before its unit was committed');
  }

  async #use(digest: Digest, at: number): Promise<void> {
    const { servers, lifetime, clock } = this.#parts;
    const words = USE([keys.ticket(digest)], ...useValues(at, lifetime, clock()));
    await servers.ask(partitionOfDigest(digest).slot, words);
  }

  /** From the commit until the ticket has moved, look-ups wait: it is a generation behind its user, but it has not ended. */
  async #announceMove(digest: Digest, userGeneration: number): Promise<void> {
    const words = ['SET', keys.nextGeneration(digest), String(userGeneration), 'PX', PENDING_FOR];
    await this.#parts.servers.write(partitionOfDigest(digest).slot, words);
  }

  /** Only after the commit: in a unit that failed, the ticket would survive the next change that ends tickets. */
  async #moveToGeneration(digest: Digest, userGeneration: number): Promise<void> {
    const words = MOVE_TO_GENERATION([keys.ticket(digest)], String(userGeneration));
    if ((await this.#parts.servers.write(partitionOfDigest(digest).slot, words)) === -1)
      throw new StoreUnavailable('a ticket was lost before it moved to the next generation of its user');
  }
}
