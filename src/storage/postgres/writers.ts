import { StoreUnavailable } from '../store.ts';
import type { PostgresConnection } from './connection.ts';
import type { PostgresServers } from './servers.ts';

/** Looks at the servers after which an idle connection is not trusted any more: a firewall may have forgotten it. */
const TRUSTED_FOR = 15;

interface Waiter {
  readonly take: (connection: PostgresConnection) => void;
  readonly fail: (error: unknown) => void;
}

/** The connections that write units have to themselves, one at a time, in the order in which they asked. */
export class Writers {
  readonly #servers: PostgresServers;
  readonly #idle: { readonly connection: PostgresConnection; readonly since: number }[] = [];
  readonly #queue = new Set<Waiter>();
  /** Connections that are idle, taken or being made. */
  #made = 0;
  #making = 0;
  #closed = false;

  constructor(servers: PostgresServers) {
    this.#servers = servers;
  }

  /** A connection for one unit, to be given back. Throws when there is none in time. */
  take(): Promise<PostgresConnection> {
    const { queueDeadline } = this.#servers.target;
    return new Promise((resolve, reject) => {
      const late = setTimeout(() => {
        waiter.fail(new StoreUnavailable(`all connections for writing were taken for ${queueDeadline} ms`));
      }, queueDeadline);
      const leave = () => {
        clearTimeout(late);
        this.#queue.delete(waiter);
      };
      const waiter: Waiter = {
        take: (connection) => {
          leave();
          resolve(connection);
        },
        fail: (error) => {
          leave();
          reject(error);
        },
      };
      this.#queue.add(waiter);
      this.#serve();
    });
  }

  give(connection: PostgresConnection): void {
    if (this.#servers.isCurrent(connection) && !this.#closed)
      this.#idle.push({ connection, since: performance.now() });
    else this.#leave(connection);
    this.#serve();
  }

  /** Closes all connections; none may be taken any more. */
  async close(): Promise<void> {
    this.#closed = true;
    await Promise.all(this.#idle.splice(0).map(({ connection }) => connection.close()));
  }

  /** Gives what is idle to those who wait, and makes connections for the others while it may. */
  #serve(): void {
    for (const waiter of this.#queue) {
      const connection = this.#idlest();
      if (connection === undefined) break;
      waiter.take(connection);
    }
    const missing = Math.min(this.#queue.size - this.#making, this.#servers.target.writers - this.#made);
    for (let n = 0; n < missing; n++) void this.#make();
  }

  #idlest(): PostgresConnection | undefined {
    const oldest = performance.now() - TRUSTED_FOR * this.#servers.target.watchEvery;
    for (let idle = this.#idle.pop(); idle !== undefined; idle = this.#idle.pop()) {
      const { connection, since } = idle;
      if (this.#servers.isCurrent(connection) && since > oldest) return connection;
      this.#leave(connection);
    }
    return undefined;
  }

  async #make(): Promise<void> {
    this.#made += 1;
    this.#making += 1;
    try {
      const connection = await this.#servers.connect();
      this.#making -= 1;
      this.give(connection);
    } catch (error) {
      this.#making -= 1;
      this.#made -= 1;
      // Whoever waits would only wait for the same.
      if (this.#made === 0) for (const waiter of this.#queue) waiter.fail(error);
    }
  }

  #leave(connection: PostgresConnection): void {
    this.#made -= 1;
    void connection.close();
  }
}
