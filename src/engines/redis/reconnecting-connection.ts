import { StoreUnavailable } from '../../core/storage/store.ts';
import { type Host, shownHost } from '../server-url.ts';
import { RedisConnection } from './connection.ts';
import { ConnectionLost, isElsewhere } from './errors.ts';
import { keys } from './partitions.ts';
import type { RedisReply, Words } from './resp.ts';
import type { OwnedTarget } from './target.ts';

/** How much longer than for an answer callers wait until a new connection is checked, in milliseconds. */
const CHECKED_WITHIN = 1_000;
/** How long callers get the same fault after a failed attempt to connect, in milliseconds. */
const RETRY_AFTER = 100;

/**
 * A connection to one server that is made when it is needed, and again once it is lost. Each time it checks that the
 * server's tickets are the database's, unless the server is a node of a cluster that does not know.
 */
export class ReconnectingConnection {
  readonly #host: Host;
  readonly #target: OwnedTarget;
  readonly #deadline: number;
  #connection: RedisConnection | undefined;
  #connecting: Promise<RedisConnection> | undefined;
  #failed: { readonly at: number; readonly error: unknown } | undefined;
  #closed = false;

  /** An answer may take up to `deadline` milliseconds. */
  constructor(host: Host, target: OwnedTarget, deadline: number) {
    this.#host = host;
    this.#target = target;
    this.#deadline = deadline;
  }

  /** The open connection, if there is one. */
  get open(): RedisConnection | undefined {
    return this.#connection?.isLost === false ? this.#connection : undefined;
  }

  /** The connection, made if needed. Throws {@link ConnectionLost} where none can be made. */
  async get(): Promise<RedisConnection> {
    if (this.open !== undefined) return this.open;
    if (this.#closed)
      throw new ConnectionLost(`the connection to Redis at ${shownHost(this.#host)} was ended`);
    if (this.#failed !== undefined && performance.now() - this.#failed.at < RETRY_AFTER)
      throw this.#failed.error;
    this.#connecting ??= this.#connect().finally(() => {
      this.#connecting = undefined;
    });
    return this.#within(this.#connecting);
  }

  /**
   * Waits for the deadline at most. The check of a new connection may wait for a unit of the database, and that unit for this
   * connection.
   */
  async #within(connecting: Promise<RedisConnection>): Promise<RedisConnection> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_, reject) => {
      const fault = new ConnectionLost(`Redis at ${shownHost(this.#host)} is still being checked`);
      timer = setTimeout(reject, CHECKED_WITHIN + this.#deadline, fault);
    });
    return Promise.race([connecting, late]).finally(() => clearTimeout(timer));
  }

  close(): void {
    this.#closed = true;
    this.#connection?.close();
  }

  async #connect(): Promise<RedisConnection> {
    try {
      const attempt = { target: this.#target, isFirst: this.#connection === undefined };
      const connection = await RedisConnection.open(this.#host, attempt, this.#deadline);
      await this.#assertOurs(connection);
      this.#connection = connection;
      if (this.#closed) connection.close();
      return connection;
    } catch (error) {
      this.#failed = { at: performance.now(), error };
      throw error;
    }
  }

  async #assertOurs(connection: RedisConnection): Promise<void> {
    try {
      await claim(this.#target.database, (words) => connection.send(words));
      await this.#target.check?.((words) => connection.send(words));
    } catch (error) {
      if (isElsewhere(error)) return;
      connection.close();
      throw error;
    }
  }
}

const FOREIGN =
  'it keeps the tickets of another database, or of this one before a backup was restored: name another Redis in TESSERA_TICKETS, or, to give those tickets up, remove what lies under tessera: there while nothing serves from it';

/**
 * Claims the Redis that `ask` reaches for this database, if no database has claimed it. Throws {@link StoreUnavailable},
 * with the mend, if it belongs to another database.
 */
export async function claim(database: string, ask: (words: Words) => Promise<RedisReply>): Promise<void> {
  let owner = await ask(['GET', keys.database]);
  if (owner === null) {
    // Of two claims at the same time, the first one wins.
    await ask(['SET', keys.database, database, 'NX']);
    owner = await ask(['GET', keys.database]);
  }
  if (owner !== database) throw new StoreUnavailable(FOREIGN);
}
