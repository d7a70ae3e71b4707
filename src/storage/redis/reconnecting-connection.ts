import { type Host, shownHost } from '../server-url.ts';
import { StoreUnavailable } from '../store.ts';
import { RedisConnection } from './connection.ts';
import { ConnectionLost, codeOf } from './errors.ts';
import { keys } from './partitions.ts';
import type { RedisReply, Words } from './resp.ts';
import type { OwnedTarget } from './target.ts';

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
    return this.#connecting;
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
    } catch (error) {
      if (isElsewhere(error)) return;
      connection.close();
      throw error;
    }
  }
}

/** Error codes of a cluster's node that does not serve the slot. */
const ELSEWHERE = new Set(['ASK', 'CLUSTERDOWN', 'MOVED', 'TRYAGAIN']);

const FOREIGN =
  'it keeps the tickets of another database, or of this one before a backup was restored: name another Redis in TESSERA_TICKETS, or, to give those tickets up, remove what lies under tessera: there while nothing serves from it';

/** Whether a node of a cluster says by this error that another node has to be asked. */
function isElsewhere(error: unknown): boolean {
  const code = codeOf(error);
  return code !== undefined && ELSEWHERE.has(code);
}

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
