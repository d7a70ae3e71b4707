import { setTimeout as pause } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import {
  bytesOf,
  type Digest,
  digestFrom,
  type HeldTicket,
  type KeptTicket,
  oldestFirst,
  type TicketOrigin,
} from '../../core/domain/ticket.ts';
import type { Holder } from '../../core/domain/user.ts';
import type { MaybePromise } from '../../core/maybe-promise.ts';
import {
  type IssuedTicket,
  StoreUnavailable,
  type TicketOnPage,
  type TicketPlace,
} from '../../core/storage/store.ts';
import { keys, type Partition, partitionOfDigest, partitionOfUser, partitions } from './partitions.ts';
import type { RedisServers } from './servers.ts';
import { FIND, originIn, PENDING, ticketIn } from './ticket-records.ts';
import type { TrackedReads } from './tracked-reads.ts';
import { type CacheSource, cachedGeneration, cachedHolder, type UserCache } from './user-cache.ts';

/** Of how many tickets the users are remembered. A ticket never changes its user. */
const MOST_USERS = 50_000;

type Passes = (heldTicket: HeldTicket) => boolean;
const always = () => true;

type Generation = Pick<Holder, 'generation'>;

/** Whether the last change of the user ended the ticket, unless that change keeps it. */
const isOneBehind = ({ userGeneration }: KeptTicket, { generation }: Generation) =>
  userGeneration === generation - 1;

/** The answer of {@link FIND}, and of a `MGET` of the same keys. */
type FoundRecords = readonly [ticket: string | null, user?: string | null, generation?: string | null];

/** For how long work is done again while a ticket moves, in milliseconds: a move takes a trip, unless its instance is gone. */
const MOVES_WITHIN = 1_000;
/** How long to wait before it is done again, in milliseconds. */
const BETWEEN_TRIES = 2;

/** Thrown while it is open whether a ticket is valid: its user has changed, and the unit that keeps the ticket has not moved it yet. */
class TicketMoving extends StoreUnavailable {}

/** Does the work again while a ticket moves that it needs. Throws {@link StoreUnavailable} if that takes too long. */
export async function onceMoved<T>(work: () => Promise<T>): Promise<T> {
  for (const giveUpAt = performance.now() + MOVES_WITHIN; ; await pause(BETWEEN_TRIES)) {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof TicketMoving) || performance.now() > giveUpAt) throw error;
    }
  }
}

/** The tickets that Redis keeps. */
export class RedisTickets {
  readonly #servers: RedisServers;
  readonly #userCache: UserCache;
  /** The users of tickets that were found lately, if they are in the partition of their ticket. */
  readonly #users = new LRUCache<Digest, number>({ max: MOST_USERS });

  constructor(servers: RedisServers, userCache: UserCache) {
    this.#servers = servers;
    this.#userCache = userCache;
  }

  /**
   * The ticket with its user and the server's generation: from memory once the master has told what has changed, otherwise mostly in one trip,
   * since they mostly share a partition.
   */
  async find(digest: Digest, sql: CacheSource, passes: Passes = always): Promise<HeldTicket | undefined> {
    const partition = partitionOfDigest(digest);
    const reads = this.#servers.trackedReads(partition.slot);
    const upToDate = () => (reads as TrackedReads).upToDate(partition);
    const confirmed = await reads?.tickets.confirm(digest, passes, upToDate).catch(() => undefined);
    // Meanwhile another server may have become the master of the slot.
    if (confirmed !== undefined && this.#servers.trackedReads(partition.slot) === reads) return confirmed;
    return onceMoved(() => this.#find(digest, sql, reads));
  }

  async #find(
    digest: Digest,
    sql: CacheSource,
    reads: TrackedReads | undefined,
  ): Promise<HeldTicket | undefined> {
    const partition = partitionOfDigest(digest);
    const knownUser = this.#users.get(digest);
    const since = reads?.changes.now ?? 0;
    const tracked = await this.#readTracked(partition, digest, knownUser, reads);
    const found = tracked ?? (await this.#read(partition, digest, knownUser));
    const [record, userText, generation] = found ?? [null];
    const ticket = record === null ? undefined : ticketIn(digest, record);
    if (ticket === undefined) return undefined;
    const { userId } = ticket;
    const isTogether = partitionOfUser(userId) === partition;
    if (isTogether && knownUser === undefined) this.#users.set(digest, userId);
    const wasRead = isTogether && (knownUser ?? userId) === userId;
    const holding = this.holder(userId, sql, wasRead ? userText : undefined);
    // To await a value that is there already would cost a turn.
    const user = holding instanceof Promise ? await holding : holding;
    if (user === undefined) return undefined;
    const raised = this.#userCache.resolve(cachedGeneration(partition), generation ?? null, sql);
    const serverGeneration = raised instanceof Promise ? await raised : raised;
    if (isOneBehind(ticket, user)) {
      const settled = await this.settled(ticket, user);
      return settled && { ticket: settled, user, serverGeneration };
    }
    const heldTicket = { ticket, user, serverGeneration };
    // What the database was asked for is not among what the connection tells of.
    const isTold = !(holding instanceof Promise) && !(raised instanceof Promise);
    if (tracked !== undefined && wasRead && isTold) reads?.tickets.keep(heldTicket, since);
    return heldTicket;
  }

  /** As {@link #read}, on the connection that tells of changes; undefined if the ticket has to be read elsewhere. */
  async #readTracked(
    partition: Partition,
    digest: Digest,
    knownUser: number | undefined,
    reads: TrackedReads | undefined,
  ): Promise<FoundRecords | undefined> {
    // Redis tells of the keys of a command alone, and a script finds the user by itself.
    if (reads === undefined || knownUser === undefined) return undefined;
    const words = ['MGET', keys.ticket(digest), keys.user(knownUser), keys.generation(partition)];
    return reads.ask(words).then(
      (reply) => reply as unknown as FoundRecords,
      () => undefined,
    );
  }

  /** Reads from Redis a ticket, its user and the generation. `MGET` costs Redis half as much as the script. */
  #read(partition: Partition, digest: Digest, knownUser: number | undefined): Promise<FoundRecords | null> {
    const key = keys.ticket(digest);
    const { slot, prefix } = partition;
    const script = FIND([key], prefix);
    if (knownUser === undefined) return this.#servers.ask(slot, script) as Promise<FoundRecords | null>;
    const words = ['MGET', key, keys.user(knownUser), keys.generation(partition)];
    return this.#servers.ask(slot, words, { instead: script }) as Promise<FoundRecords | null>;
  }

  /** The user of a ticket, from Redis if cached. `text` is what Redis has of the user, if that was read already. */
  holder(id: number, sql: CacheSource, text?: string | null): MaybePromise<Holder | undefined> {
    const cached = cachedHolder(id);
    if (text !== undefined) return this.#userCache.resolve(cached, text, sql);
    const read = this.#servers.ask(cached.partition.slot, ['GET', cached.key]);
    return read.then((found) => this.#userCache.resolve(cached, found as string | null, sql));
  }

  /**
   * The ticket as it is after the change that raised its user to this generation, which was read after the ticket. Throws while that change may
   * have kept the ticket, but has not moved it yet.
   */
  async settled(ticket: KeptTicket, user: Generation, pending = false): Promise<KeptTicket | undefined> {
    if (!isOneBehind(ticket, user)) return ticket;
    const { digest } = ticket;
    const next = await this.#servers.ask(partitionOfDigest(digest).slot, [
      'GET',
      keys.nextGeneration(digest),
    ]);
    // Asked for afterwards: a move takes its announcement away.
    const now = await this.ticket(digest, pending);
    if (now !== undefined && isOneBehind(now, user) && next === String(user.generation))
      throw new TicketMoving('a ticket is moving to the next generation of its user');
    return now;
  }

  /** The ticket alone; with `pending` also a pending one. */
  async ticket(digest: Digest, pending = false): Promise<KeptTicket | undefined> {
    const record = await this.#servers.ask(partitionOfDigest(digest).slot, ['GET', keys.ticket(digest)]);
    return this.#ticketIn(digest, record as string | null, pending);
  }

  /** The user's tickets, oldest first. */
  async listOf(userId: number, pending = false): Promise<KeptTicket[]> {
    const id = String(userId);
    const partition = partitionOfUser(userId);
    const words = ['ZRANGE', keys.tickets(partition), id, id, 'BYSCORE'];
    const members = (await this.#servers.ask(partition.slot, words, { as: 'bytes' })) as Buffer[];
    return (await this.#ticketsOf(partition, members.map(digestFrom), pending)).sort(oldestFirst);
  }

  /** The origins of these tickets, in their order. */
  async originsOf(tickets: readonly IssuedTicket[]): Promise<(TicketOrigin | undefined)[]> {
    return Promise.all(
      tickets.map(async ({ digest }) => {
        const { slot } = partitionOfDigest(digest);
        const records = [keys.ticket(digest), keys.ticketOrigin(digest)].map((key) =>
          this.#servers.ask(slot, ['GET', key]),
        );
        const [ticket, origin] = (await Promise.all(records)) as [string | null, string | null];
        return originIn(ticket, origin);
      }),
    );
  }

  /** How many tickets of the user the index has, expired ones perhaps among them. */
  async countOf(userId: number): Promise<number> {
    const partition = partitionOfUser(userId);
    const id = String(userId);
    return Number(await this.#servers.ask(partition.slot, ['ZCOUNT', keys.tickets(partition), id, id]));
  }

  /** Tickets after `after`, sorted by partition, user and digest. */
  async page(after: TicketPlace | undefined, limit: number, sql: CacheSource): Promise<TicketOnPage[]> {
    const [first, ...later] = partitions.slice(
      after === undefined ? 0 : partitionOfUser(after.userId).number,
    );
    const found = await this.#rowsIn(first as Partition, after, limit, sql);
    if (found.length >= limit) return found;
    for (const partition of await this.#filled(later)) {
      found.push(...(await this.#rowsIn(partition, undefined, limit - found.length, sql)));
      if (found.length >= limit) break;
    }
    return found;
  }

  async #filled(among: readonly Partition[]): Promise<Partition[]> {
    const counts = await Promise.all(
      among.map((partition) => this.#servers.ask(partition.slot, ['ZCARD', keys.tickets(partition)])),
    );
    return among.filter((_, index) => counts[index] !== 0);
  }

  async #rowsIn(
    partition: Partition,
    after: TicketPlace | undefined,
    limit: number,
    sql: CacheSource,
  ): Promise<TicketOnPage[]> {
    const rows: TicketOnPage[] = [];
    for (let from = after; rows.length < limit; ) {
      const entries = await this.#entriesAfter(partition, from, limit - rows.length);
      const last = entries.at(-1);
      if (last === undefined) break;
      const tickets = await this.#ticketsOf(
        partition,
        entries.map(({ digest }) => digest),
        false,
      );
      rows.push(...(await this.#withHolders(tickets, sql)));
      from = last;
    }
    return rows;
  }

  async #withHolders(tickets: readonly KeptTicket[], sql: CacheSource): Promise<TicketOnPage[]> {
    const ids = [...new Set(tickets.map(({ userId }) => userId))];
    const holders = await Promise.all(ids.map((id) => this.holder(id, sql)));
    const byId = new Map(ids.map((id, index) => [id, holders[index]]));
    return tickets.map((ticket) => ({ ticket, user: byId.get(ticket.userId) }));
  }

  async #entriesAfter(
    partition: Partition,
    after: TicketPlace | undefined,
    limit: number,
  ): Promise<TicketPlace[]> {
    const index = keys.tickets(partition);
    const id = String(after?.userId ?? 0);
    const others = ['ZRANGE', index, `(${id}`, '+inf', 'BYSCORE', 'LIMIT', '0', String(limit), 'WITHSCORES'];
    const [same, rest] = await Promise.all([
      after === undefined
        ? []
        : this.#servers.ask(partition.slot, ['ZRANGE', index, id, id, 'BYSCORE'], { as: 'bytes' }),
      this.#servers.ask(partition.slot, others, { as: 'bytes' }),
    ]);
    const entries = (same as Buffer[])
      .map(digestFrom)
      .filter((digest) => after !== undefined && digest > after.digest)
      .map((digest) => ({ digest, userId: Number(id) }));
    const flat = rest as Buffer[];
    for (let at = 0; at < flat.length; at += 2)
      entries.push({ digest: digestFrom(flat[at] as Buffer), userId: Number(String(flat[at + 1])) });
    return entries.slice(0, limit);
  }

  /** The tickets of these digests that exist. Removes the others from the index in their user's partition. */
  async #ticketsOf(
    partition: Partition,
    digests: readonly Digest[],
    pending: boolean,
  ): Promise<KeptTicket[]> {
    const records = await Promise.all(
      digests.map((digest) =>
        this.#servers.ask(partitionOfDigest(digest).slot, ['GET', keys.ticket(digest)]),
      ),
    );
    const gone = digests.filter((_, index) => records[index] === null);
    if (gone.length > 0)
      void this.#servers
        .ask(partition.slot, ['ZREM', keys.tickets(partition), ...gone.map(bytesOf)])
        .catch(() => undefined);
    return digests.flatMap(
      (digest, index) => this.#ticketIn(digest, records[index] as string | null, pending) ?? [],
    );
  }

  #ticketIn(digest: Digest, record: string | null, pending: boolean): KeptTicket | undefined {
    if (record === null) return undefined;
    return ticketIn(digest, pending && record.startsWith(PENDING) ? record.slice(1) : record);
  }
}
