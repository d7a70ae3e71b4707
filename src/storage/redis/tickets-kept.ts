import {
  bytesOf,
  type Digest,
  digestFrom,
  type HeldTicket,
  type KeptTicket,
  oldestFirst,
} from '../../domain/ticket.ts';
import type { Holder } from '../../domain/user.ts';
import type { ReadUnit, TicketOnPage, TicketPlace } from '../store.ts';
import { keys, type Partition, partitionOfDigest, partitionOfUser, places } from './partitions.ts';
import type { RedisServers } from './servers.ts';
import { PENDING, ticketIn } from './ticket-record.ts';
import { FIND } from './ticket-scripts.ts';
import { generationFact, holderFact, type UserCache } from './user-cache.ts';

type Sql = Pick<ReadUnit, 'users' | 'tickets'>;

/** The tickets, as Redis keeps them. */
export class TicketsKept {
  readonly #servers: RedisServers;
  readonly #facts: UserCache;

  constructor(servers: RedisServers, facts: UserCache) {
    this.#servers = servers;
    this.#facts = facts;
  }

  /** The ticket with its user and the server's generation: one trip where all of it lies in one place, as it mostly does. */
  async find(digest: Digest, sql: Sql): Promise<HeldTicket | undefined> {
    const place = partitionOfDigest(digest);
    const found = await this.#servers.ask(place.slot, FIND([keys.ticket(digest)], place.prefix));
    if (found === null) return undefined;
    const [record, user, generation] = found as [string, string | null, string | null];
    const ticket = ticketIn(digest, record);
    if (ticket === undefined) return undefined;
    const here = partitionOfUser(ticket.userId) === place;
    const holder = await this.holder(ticket.userId, sql, here ? user : undefined);
    if (holder === undefined) return undefined;
    const serverGeneration = await this.#facts.known(generationFact(place), generation, sql);
    return { ticket, user: holder, serverGeneration };
  }

  /** Whose a ticket is; asks Redis first, unless what it said is given. */
  async holder(id: number, sql: Sql, said?: string | null): Promise<Holder | undefined> {
    const fact = holderFact(id);
    const remembered =
      said === undefined ? await this.#servers.ask(fact.place.slot, ['GET', fact.key]) : said;
    return this.#facts.known(fact, remembered as string | null, sql);
  }

  /** The ticket alone; with `unborn` also one that its unit has not committed yet. */
  async ticket(digest: Digest, unborn = false): Promise<KeptTicket | undefined> {
    const record = await this.#servers.ask(partitionOfDigest(digest).slot, ['GET', keys.ticket(digest)]);
    return this.#ticketIn(digest, record as string | null, unborn);
  }

  /** The user's tickets, oldest first. */
  async listOf(userId: number, unborn = false): Promise<KeptTicket[]> {
    const id = String(userId);
    const place = partitionOfUser(userId);
    const words = ['ZRANGE', keys.tickets(place), id, id, 'BYSCORE'];
    const members = (await this.#servers.ask(place.slot, words, 'bytes')) as Buffer[];
    return (await this.#ticketsOf(place, members.map(digestFrom), unborn)).sort(oldestFirst);
  }

  /** How many tickets the index has of the user; one that expired may be among them still. */
  async countOf(userId: number): Promise<number> {
    const place = partitionOfUser(userId);
    const id = String(userId);
    return Number(await this.#servers.ask(place.slot, ['ZCOUNT', keys.tickets(place), id, id]));
  }

  /** Tickets after `after`, by place, user and digest. */
  async page(after: TicketPlace | undefined, limit: number, sql: Sql): Promise<TicketOnPage[]> {
    const [first, ...later] = places.slice(after === undefined ? 0 : partitionOfUser(after.userId).number);
    const found = await this.#rowsIn(first as Partition, after, limit, sql);
    if (found.length >= limit) return found;
    for (const place of await this.#filled(later)) {
      found.push(...(await this.#rowsIn(place, undefined, limit - found.length, sql)));
      if (found.length >= limit) break;
    }
    return found;
  }

  async #filled(among: readonly Partition[]): Promise<Partition[]> {
    const counts = await Promise.all(
      among.map((place) => this.#servers.ask(place.slot, ['ZCARD', keys.tickets(place)])),
    );
    return among.filter((_, index) => counts[index] !== 0);
  }

  async #rowsIn(
    place: Partition,
    after: TicketPlace | undefined,
    limit: number,
    sql: Sql,
  ): Promise<TicketOnPage[]> {
    const rows: TicketOnPage[] = [];
    for (let from = after; rows.length < limit; ) {
      const entries = await this.#entriesAfter(place, from, limit - rows.length);
      const last = entries.at(-1);
      if (last === undefined) break;
      const tickets = await this.#ticketsOf(
        place,
        entries.map(({ digest }) => digest),
        false,
      );
      rows.push(...(await this.#withHolders(tickets, sql)));
      from = last;
    }
    return rows;
  }

  async #withHolders(tickets: readonly KeptTicket[], sql: Sql): Promise<TicketOnPage[]> {
    const ids = [...new Set(tickets.map(({ userId }) => userId))];
    const holders = await Promise.all(ids.map((id) => this.holder(id, sql)));
    const byId = new Map(ids.map((id, index) => [id, holders[index]]));
    return tickets.map((ticket) => ({ ticket, user: byId.get(ticket.userId) }));
  }

  async #entriesAfter(
    place: Partition,
    after: TicketPlace | undefined,
    limit: number,
  ): Promise<TicketPlace[]> {
    const index = keys.tickets(place);
    const id = String(after?.userId ?? 0);
    const others = ['ZRANGE', index, `(${id}`, '+inf', 'BYSCORE', 'LIMIT', '0', String(limit), 'WITHSCORES'];
    const [same, rest] = await Promise.all([
      after === undefined ? [] : this.#servers.ask(place.slot, ['ZRANGE', index, id, id, 'BYSCORE'], 'bytes'),
      this.#servers.ask(place.slot, others, 'bytes'),
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

  /** The tickets of these digests that are there; what is gone leaves the index of its user's place. */
  async #ticketsOf(place: Partition, digests: readonly Digest[], unborn: boolean): Promise<KeptTicket[]> {
    const records = await Promise.all(
      digests.map((digest) =>
        this.#servers.ask(partitionOfDigest(digest).slot, ['GET', keys.ticket(digest)]),
      ),
    );
    const gone = digests.filter((_, index) => records[index] === null);
    if (gone.length > 0)
      void this.#servers
        .ask(place.slot, ['ZREM', keys.tickets(place), ...gone.map(bytesOf)])
        .catch(() => undefined);
    return digests.flatMap(
      (digest, index) => this.#ticketIn(digest, records[index] as string | null, unborn) ?? [],
    );
  }

  #ticketIn(digest: Digest, record: string | null, unborn: boolean): KeptTicket | undefined {
    if (record === null) return undefined;
    return ticketIn(digest, unborn && record.startsWith(PENDING) ? record.slice(1) : record);
  }
}
