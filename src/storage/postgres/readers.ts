import { StoreUnavailable } from '../store.ts';
import type { PostgresConnection } from './connection.ts';
import type { PostgresServers } from './servers.ts';
import { type Reading, type ResultRow, type SqlValue, type Statement, statement } from './statement.ts';

const TOUCH = statement('readers', 'touch', 'SELECT 1');

/** The connections that reads share: a statement goes to the idlest, without waiting for those before it. */
export class Readers implements Reading {
  readonly #servers: PostgresServers;
  readonly #onConnected: (connection: PostgresConnection) => Promise<void>;
  #open: PostgresConnection[] = [];
  #connecting: Promise<PostgresConnection> | undefined;
  #closed = false;

  /** `onConnected` is awaited before a new connection is read through. */
  constructor(servers: PostgresServers, onConnected: (connection: PostgresConnection) => Promise<void>) {
    this.#servers = servers;
    this.#onConnected = onConnected;
  }

  async rows(statement: Statement, ...values: SqlValue[]): Promise<readonly ResultRow[]> {
    const reader = this.#idlest() ?? (await this.connected());
    return reader.rows(statement, ...values);
  }

  /** A connection, made now if there is none. */
  connected(): Promise<PostgresConnection> {
    const [open] = this.#open;
    return open === undefined ? this.#connect() : Promise.resolve(open);
  }

  /** Has every connection answered, so that a dead one is noticed before somebody needs it. */
  async touch(): Promise<void> {
    await Promise.allSettled(this.#open.map((reader) => reader.rows(TOUCH)));
  }

  async close(): Promise<void> {
    this.#closed = true;
    await this.#connecting?.catch(() => undefined);
    await Promise.all(this.#open.splice(0).map((connection) => connection.close()));
  }

  #idlest(): PostgresConnection | undefined {
    let idlest: PostgresConnection | undefined;
    for (const reader of this.#open) {
      if (!this.#servers.isCurrent(reader)) return this.#afterLeaving();
      if (idlest === undefined || reader.waiting < idlest.waiting) idlest = reader;
    }
    // One that is missing is made beside the work of those that are there.
    if (idlest !== undefined && this.#open.length < this.#servers.target.readers)
      this.#connect().catch(() => {});
    return idlest;
  }

  /** Leaves the connections that are lost, or lead to a server that was replaced. */
  #afterLeaving(): PostgresConnection | undefined {
    const left = this.#open.filter((reader) => !this.#servers.isCurrent(reader));
    this.#open = this.#open.filter((reader) => !left.includes(reader));
    for (const reader of left) void reader.close();
    return this.#idlest();
  }

  #connect(): Promise<PostgresConnection> {
    this.#connecting ??= this.#add().finally(() => {
      this.#connecting = undefined;
    });
    return this.#connecting;
  }

  async #add(): Promise<PostgresConnection> {
    const reader = await this.#servers.connect();
    try {
      await this.#onConnected(reader);
      if (this.#closed) throw new StoreUnavailable('the store is closed');
    } catch (error) {
      void reader.close();
      throw error;
    }
    this.#open.push(reader);
    return reader;
  }
}
