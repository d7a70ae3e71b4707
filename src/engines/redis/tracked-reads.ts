import { digestFrom } from '../../core/domain/ticket.ts';
import { countEmptied } from '../../core/emptied-caches.ts';
import { Barrier } from '../cache/barrier.ts';
import { Changes, TicketCache } from '../cache/recently-read.ts';
import type { Host } from '../server-url.ts';
import type { RedisConnection } from './connection.ts';
import type { Partition } from './partitions.ts';
import { ReconnectingConnection } from './reconnecting-connection.ts';
import type { RedisReply, Words } from './resp.ts';
import type { OwnedTarget } from './target.ts';

/** How long a server is asked each time after it could not be had to tell of changes, in milliseconds. */
const RETRY_AFTER = 1_000;

/** How long each question waits for company, in milliseconds, and how many tickets are kept. */
type TrackingOptions = Pick<OwnedTarget, 'validationWait' | 'cache'>;

/**
 * Reads on one connection to a master, which tells on it of each change of a key that was read there (`CLIENT TRACKING`), and the tickets
 * that were read. Redis writes such a message into the output of the connection when the key changes, so it comes before the answer
 * to any later command. That is not so with `BCAST`, whose messages wait for the end of a turn, and with `NOLOOP` a write of our
 * own would end the tracking without a word.
 */
export class TrackedReads {
  readonly changes = new Changes();
  readonly tickets: TicketCache;
  readonly #connection: RedisConnection;
  readonly #barrier: Barrier;
  /** A key in a slot of which the next question is. */
  #keyInSlot = '';

  private constructor(connection: RedisConnection, { validationWait: wait, cache }: TrackingOptions) {
    this.#connection = connection;
    this.tickets = new TicketCache(this.changes, cache);
    this.#barrier = new Barrier(() => this.#ask(), wait);
  }

  /** Has the server tell of changes on this connection. Rejects if it refuses. */
  static async on(connection: RedisConnection, options: TrackingOptions): Promise<TrackedReads> {
    const reads = new TrackedReads(connection, options);
    connection.onPush = (items) => reads.#take(items);
    await connection.send(['HELLO', '3']);
    await connection.send(['CLIENT', 'TRACKING', 'ON']);
    return reads;
  }

  get isLost(): boolean {
    return this.#connection.isLost;
  }

  /** Sends a command that reads. Rejects with the server's error reply, or that the connection is lost. */
  ask(words: Words): Promise<RedisReply> {
    return this.#connection.send(words);
  }

  /**
   * Resolves once everything is noted as changed that the master of this partition changed before the call. Rejects, and is lost with all that
   * it has cached, if the server is not that master any more or does not answer.
   */
  upToDate({ prefix }: Pick<Partition, 'prefix'>): Promise<void> {
    this.#keyInSlot = `${prefix}g`;
    return this.#barrier.upToDate();
  }

  /** Ends the connection. Nothing that was read on it counts any more. */
  drop(): void {
    this.#connection.close();
  }

  async #ask(): Promise<void> {
    try {
      // A keyed read: a master that was replaced answers a PING, but not this.
      await this.#connection.send(['EXISTS', this.#keyInSlot]);
    } catch (error) {
      this.drop();
      throw error;
    }
  }

  /** Takes a message: keys that have changed, or none if all are gone. */
  #take([kind, changed]: readonly RedisReply[]): void {
    if (String(kind) !== 'invalidate') return;
    if (Array.isArray(changed)) for (const key of changed) this.#note(key as Buffer);
    else this.changes.noteAll('all');
  }

  #note(key: Buffer): void {
    const at = key.indexOf('}') + 1;
    const kind = String.fromCharCode(key[at] ?? 0);
    if (kind === 't') this.changes.note(digestFrom(key.subarray(at + 1)));
    else if (kind === 'u') this.changes.note(Number(key.toString('latin1', at + 1)));
    else this.changes.noteAll('all');
  }
}

/** A connection for {@link TrackedReads}, which is made aside: until it is there, and while the server refuses, validations ask each time. */
export class TrackedConnection {
  readonly #connection: ReconnectingConnection;
  readonly #others: ReconnectingConnection;
  readonly #target: TrackingOptions;
  #reads: TrackedReads | undefined;
  #isOpening = false;
  #closed = false;
  #retryAt = 0;

  /** `others` is the connection for other reads of the same server. */
  constructor(host: Host, target: OwnedTarget, others: ReconnectingConnection) {
    this.#others = others;
    this.#target = target;
    this.#connection = new ReconnectingConnection(host, target, target.commandDeadline);
  }

  /** The reads, if the connection is open. Otherwise it is being made. */
  get open(): TrackedReads | undefined {
    if (this.#reads?.isLost === false) return this.#reads;
    if (!this.#isOpening && !this.#closed && performance.now() >= this.#retryAt) void this.#open();
    return undefined;
  }

  close(): void {
    this.#closed = true;
    this.#connection.close();
  }

  async #open(): Promise<void> {
    this.#isOpening = true;
    try {
      // If the server has lost writes, the check of that connection repairs it; two at a time would do so twice.
      await this.#others.get();
      const connection = await this.#connection.get();
      const isAnother = this.#reads !== undefined;
      this.#reads = await TrackedReads.on(connection, this.#target).catch((error: unknown) => {
        connection.close();
        throw error;
      });
      if (isAnother) countEmptied('connection');
    } catch {
      this.#retryAt = performance.now() + RETRY_AFTER;
    } finally {
      this.#isOpening = false;
    }
  }
}
