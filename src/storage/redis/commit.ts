import { randomBytes } from 'node:crypto';
import { bytesOf, type Digest, type KeptTicket, type Lifetime } from '../../domain/ticket.ts';
import { holderOf } from '../../domain/user.ts';
import { StoreUnavailable, type WriteUnit } from '../store.ts';
import { allOver } from './all-over.ts';
import type { Counters } from './counters.ts';
import { keys, partitionOfDigest, partitionOfUser, places } from './partitions.ts';
import type { RedisServers } from './servers.ts';
import type { Staged } from './staged.ts';
import { keptFor, PENDING, ticketRecord, useValues } from './ticket-record.ts';
import { BEAR, END, USE } from './ticket-scripts.ts';
import { type CachedFact, generationFact, holderFact, type UserCache } from './user-cache.ts';

/**
 * How long an unborn ticket waits for its unit's commit, and an ended one leaves a mark: longer than any unit takes. In
 * milliseconds.
 */
const PENDING_FOR = '60000';

/** What applying needs. */
export interface CommitParts {
  readonly servers: RedisServers;
  readonly facts: UserCache;
  readonly counters: Counters;
  readonly lifetime: Lifetime;
  readonly clock: () => number;
}

/** A fact that a unit has changed. */
interface Changed {
  /** Before the commit: what is remembered of it is believed no more. */
  mark(): Promise<void>;
  /** After the commit: what it is now is remembered. */
  settle(): Promise<void>;
}

/**
 * Writes what a unit has staged around the commit of the database: what closes a door before it, what opens one after
 * it. In between no ticket lives that is told to be dead, and none is told of that does not live.
 */
export class Commit {
  readonly #staged: Staged;
  readonly #parts: CommitParts;
  readonly #mark = `!${randomBytes(12).toString('base64url')}`;
  #changed: Changed[] = [];

  constructor(staged: Staged, parts: CommitParts) {
    this.#staged = staged;
    this.#parts = parts;
  }

  /** Before the commit, at the end of the unit's work: ends tickets, takes away what is believed of users, counts failures. */
  async close(unit: WriteUnit): Promise<void> {
    const { users, raises, tickets, counters } = this.#staged;
    for (const id of users) {
      const user = await unit.users.find(id);
      this.#change(holderFact(id), user && holderOf(user));
    }
    if (raises) {
      const generation = await unit.tickets.serverGeneration();
      for (const place of places) this.#change(generationFact(place), generation);
    }
    const staged = [...tickets.values()];
    // A statement that failed shows here, before anything is closed.
    if (staged.length > 0 && this.#changed.length === 0) await unit.tickets.serverGeneration();
    await allOver([
      ...this.#changed.map((change) => change.mark()),
      ...staged.map(({ fate, ticket }) => (fate === 'ended' ? this.#end(ticket) : this.#prepare(ticket))),
      ...[...counters].flatMap(([key, own]) =>
        own === undefined ? [] : [this.#parts.counters.put(key, own)],
      ),
    ]);
  }

  /** After the commit: lets new tickets live, has what changed believed, moves uses and forgets counters. */
  async open(): Promise<void> {
    const { tickets, uses, counters, trim } = this.#staged;
    const { counters: kept } = this.#parts;
    const removed = [...counters].flatMap(([key, own]) => (own === undefined ? [key] : []));
    // What is not settled is asked of the database until it is mended: that is slower, and as right.
    const settled = this.#changed.map((change) => change.settle().catch(() => undefined));
    await Promise.all([
      ...settled,
      ...[...tickets.values()].map(({ fate, ticket }) =>
        fate === 'issued' ? this.#activate(ticket) : undefined,
      ),
      ...[...uses].map(([digest, at]) => this.#use(digest, at)),
      kept.remove(removed),
    ]);
    if (trim !== undefined) await kept.trim(trim.most, trim.now);
  }

  #change<T>(fact: CachedFact<T>, value: T): void {
    const { facts } = this.#parts;
    this.#changed.push({
      mark: () => facts.invalidate(fact, this.#mark),
      settle: () => facts.settle(fact, this.#mark, value),
    });
  }

  async #end({ digest, userId }: KeptTicket): Promise<void> {
    const { servers } = this.#parts;
    const index = partitionOfUser(userId);
    await servers.write(partitionOfDigest(digest).slot, END([keys.ticket(digest)], PENDING_FOR));
    // After it: a ticket that lives on is to be listed and counted.
    await servers.write(index.slot, ['ZREM', keys.tickets(index), bytesOf(digest)]);
  }

  /** Writes the ticket so that it counts and is listed for other units, and that nobody finds it yet. */
  async #prepare(ticket: KeptTicket): Promise<void> {
    const { servers } = this.#parts;
    const { digest, userId } = ticket;
    const index = partitionOfUser(userId);
    const record = PENDING + ticketRecord(ticket);
    await servers.write(partitionOfDigest(digest).slot, [
      'SET',
      keys.ticket(digest),
      record,
      'PX',
      PENDING_FOR,
    ]);
    await servers.write(index.slot, ['ZADD', keys.tickets(index), String(userId), bytesOf(digest)]);
  }

  async #activate(ticket: KeptTicket): Promise<void> {
    const { servers, lifetime, clock } = this.#parts;
    const { digest } = ticket;
    const words = BEAR([keys.ticket(digest)], ticketRecord(ticket), keptFor(ticket, lifetime, clock()));
    if ((await servers.write(partitionOfDigest(digest).slot, words)) === -1)
      throw new StoreUnavailable('a new ticket was lost before its unit was committed');
  }

  async #use(digest: Digest, at: number): Promise<void> {
    const { servers, lifetime, clock } = this.#parts;
    const words = USE([keys.ticket(digest)], ...useValues(at, lifetime, clock()));
    await servers.ask(partitionOfDigest(digest).slot, words);
  }
}
