import {
  bytesOf,
  type Digest,
  digestFrom,
  type HeldTicket,
  type KeptTicket,
  type Lifetime,
  oldestFirst,
} from '../../domain/ticket.ts';
import type { Holder } from '../../domain/user.ts';
import type { TicketOnPage, TicketPlace } from '../store.ts';
import { keys, type Partition, partitionOfDigest, partitionOfUser, partitions } from './partitions.ts';
import { type RedisServers, script } from './servers.ts';
import { type CacheSource, cachedGeneration, cachedHolder, type UserCache } from './user-cache.ts';

/** How long Redis keeps a ticket after its end, in milliseconds: clocks may differ, and the sweeper records expired tickets. */
const GRACE = 10 * 60_000;

/** Begins the record of a ticket whose unit is not yet committed: no look-up finds such a ticket. */
export const PENDING = '?';

/** A ticket's record. The digest is in its key. */
export function ticketRecord(ticket: KeptTicket): string {
  const { userId, userGeneration, serverGeneration, issuedAt, usedAt } = ticket;
  return `${userId} ${userGeneration} ${serverGeneration} ${issuedAt} ${usedAt}`;
}

/** The ticket in a record; undefined for any other text. */
function ticketIn(digest: Digest, record: string): KeptTicket | undefined {
  const [userId, userGeneration, serverGeneration, issuedAt, usedAt, ...more] = record.split(' ').map(Number);
  if (usedAt === undefined || more.length > 0 || !Number.isInteger(userId)) return undefined;
  return {
    digest,
    userId: userId as number,
    userGeneration: userGeneration as number,
    serverGeneration: serverGeneration as number,
    issuedAt: issuedAt as number,
    usedAt,
  };
}

/** The values that {@link USE} takes. */
export function useValues(at: number, { idle, age }: Lifetime, now: number): string[] {
  const limits = [idle, age].map((limit) => String(Number.isFinite(limit) ? limit : -1));
  return [String(at), String(now), ...limits, String(GRACE)];
}

/** For how many milliseconds from `now` on Redis keeps a ticket, as scripts take it; 0 is for ever. */
export function keptFor({ issuedAt, usedAt }: KeptTicket, { idle, age }: Lifetime, now: number): string {
  const endsAt = Math.min(usedAt + idle, issuedAt + age);
  if (!Number.isFinite(endsAt)) return '0';
  return String(Math.max(1, Math.round(endsAt - now + GRACE)));
}

/**
 * Reads a ticket, its cached user and the cached generation: all that a validation needs, in one trip. While the slot is
 * being moved, user and generation may be moved before the ticket: then they are missing here.
 */
const FIND = script(
  `local kept = redis.call('GET', KEYS[1])
local user = kept and string.match(kept, '^(%d+) ')
if not user then return false end
local function cached(key)
  local value = redis.pcall('GET', ARGV[1] .. key)
  return type(value) == 'string' and value
end
return {kept, cached('u' .. user), cached('g')}`,
  'reads',
);

/**
 * Ends a ticket, even when memory is full. A mark replaces it for a while, so that {@link ACTIVATE} can tell an ended ticket
 * from a lost one. A repeated end writes again, since only a write waits for replicas.
 */
export const END = script(
  `#!lua flags=allow-oom
return redis.call('SET', KEYS[1], 'x', 'PX', ARGV[1])`,
);

/** Activates a pending ticket. Returns 1; 0 if it was ended meanwhile, -1 if it is lost. Writes again as {@link END} does. */
export const ACTIVATE = script(
  `local kept = redis.call('GET', KEYS[1])
if kept == 'x' then return 0 end
if kept ~= ARGV[1] and kept ~= '?' .. ARGV[1] then return -1 end
if ARGV[2] == '0' then redis.call('SET', KEYS[1], ARGV[1])
else redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2]) end
return 1`,
);

/** Moves the last use forward. Values: its new time, the time now, idle and age limit (-1 for none), and the grace. */
export const USE = script(
  `local kept = redis.call('GET', KEYS[1])
local head, issued, used = string.match(kept or '', '^(%d+ %d+ %d+ )(%-?%d+) (%-?%d+)$')
if not head or tonumber(used) >= tonumber(ARGV[1]) then return 0 end
local now, idle, age, grace = tonumber(ARGV[2]), tonumber(ARGV[3]), tonumber(ARGV[4]), tonumber(ARGV[5])
if idle < 0 then idle = math.huge end
if age < 0 then age = math.huge end
local record = head .. issued .. ' ' .. ARGV[1]
local ends = math.min(tonumber(ARGV[1]) + idle, tonumber(issued) + age)
if ends == math.huge then redis.call('SET', KEYS[1], record)
else redis.call('SET', KEYS[1], record, 'PX', string.format('%.0f', math.max(1, ends - now + grace))) end
return 1`,
);

/**
 * Moves a ticket forward to a generation of its user, with the same end. Writes an equal one again as {@link END} does: a
 * repeated command must wait for replicas too.
 */
export const MOVE_TO_GENERATION = script(
  `local user, generation, rest = string.match(redis.call('GET', KEYS[1]) or '', '^(%d+) (%d+) (.*)$')
if not user or tonumber(generation) > tonumber(ARGV[1]) then return 0 end
redis.call('SET', KEYS[1], user .. ' ' .. ARGV[1] .. ' ' .. rest, 'KEEPTTL')
return 1`,
);

/** The tickets that Redis keeps. */
export class RedisTickets {
  readonly #servers: RedisServers;
  readonly #userCache: UserCache;

  constructor(servers: RedisServers, userCache: UserCache) {
    this.#servers = servers;
    this.#userCache = userCache;
  }

  /** The ticket with its user and the server's generation: mostly in one trip, since they mostly share a partition. */
  async find(digest: Digest, sql: CacheSource): Promise<HeldTicket | undefined> {
    const partition = partitionOfDigest(digest);
    const found = await this.#servers.ask(partition.slot, FIND([keys.ticket(digest)], partition.prefix));
    if (found === null) return undefined;
    const [record, user, generation] = found as [string, string | null, string | null];
    const ticket = ticketIn(digest, record);
    if (ticket === undefined) return undefined;
    const here = partitionOfUser(ticket.userId) === partition;
    const holder = await this.holder(ticket.userId, sql, here ? user : undefined);
    if (holder === undefined) return undefined;
    const serverGeneration = await this.#userCache.resolve(cachedGeneration(partition), generation, sql);
    return { ticket, user: holder, serverGeneration };
  }

  /** The user of a ticket, from Redis if cached. `text` is what Redis has of the user, if that was read already. */
  async holder(id: number, sql: CacheSource, text?: string | null): Promise<Holder | undefined> {
    const cached = cachedHolder(id);
    const read =
      text === undefined ? await this.#servers.ask(cached.partition.slot, ['GET', cached.key]) : text;
    return this.#userCache.resolve(cached, read as string | null, sql);
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
    const members = (await this.#servers.ask(partition.slot, words, 'bytes')) as Buffer[];
    return (await this.#ticketsOf(partition, members.map(digestFrom), pending)).sort(oldestFirst);
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
        : this.#servers.ask(partition.slot, ['ZRANGE', index, id, id, 'BYSCORE'], 'bytes'),
      this.#servers.ask(partition.slot, others, 'bytes'),
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
