import { type Host, shownHost } from '../host.ts';
import { claim, isElsewhere } from './claim.ts';
import { RedisConnection } from './connection.ts';
import { ConnectionLost } from './errors.ts';
import type { OwnedTarget } from './target.ts';

/** After a connection could not be made, none is tried for so long: whoever asks is told why at once. In milliseconds. */
const REST = 100;

/**
 * A connection to one server that is made when it is needed, and made anew once it is lost: each time only to one whose
 * tickets are the database's, or to a node of a cluster that does not know.
 */
export class ReconnectingConnection {
  readonly #host: Host;
  readonly #target: OwnedTarget;
  readonly #deadline: number;
  #connection: RedisConnection | undefined;
  #connecting: Promise<RedisConnection> | undefined;
  #failed: { readonly at: number; readonly error: unknown } | undefined;
  #closed = false;

  /** Answers on it may take up to `deadline` milliseconds. */
  constructor(host: Host, target: OwnedTarget, deadline: number) {
    this.#host = host;
    this.#target = target;
    this.#deadline = deadline;
  }

  /** The connection that is open, if there is one. */
  get open(): RedisConnection | undefined {
    return this.#connection?.isLost === false ? this.#connection : undefined;
  }

  /** The connection; throws {@link ConnectionLost} when there is none to be had. */
  async get(): Promise<RedisConnection> {
    if (this.open !== undefined) return this.open;
    if (this.#closed)
      throw new ConnectionLost(`the connection to Redis at ${shownHost(this.#host)} was ended`);
    if (this.#failed !== undefined && performance.now() - this.#failed.at < REST) throw this.#failed.error;
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
