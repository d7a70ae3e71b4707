import { StoreUnavailable } from '../../core/storage/store.ts';
import type { SqlRow } from '../sql/sql.ts';
import { type Reading, type SqlValue, type Statement, statement } from '../sql/statement.ts';
import type { PostgresConnection } from './connection.ts';
import { isOutdated, isPastDeadline } from './errors.ts';
import type { PostgresServers } from './servers.ts';

/** Why a connection is closed that prepared statements before a migration: a new one prepares them anew. */
export const OUTDATED = 'the schema has changed since a statement was prepared';
const TOUCH = statement('readers', 'touch', 'SELECT 1');

/**
 * Connections that reads share. A statement goes to the one with the fewest under way. There it waits for the statements
 * before it, since the server answers in order. If one of those waits for a lock until its deadline, the connection is
 * closed, and what waits behind it goes to another one. So a statement waits for twice its deadline at most.
 */
export class ReadPool implements Reading {
  readonly #servers: PostgresServers;
  readonly #size: number;
  readonly #onConnected: (connection: PostgresConnection) => Promise<void>;
  #open: PostgresConnection[] = [];
  #connecting: Promise<PostgresConnection> | undefined;
  #closed = false;

  /** A pool of `size` connections. `onConnected` has to resolve before a new one is used. */
  constructor(
    servers: PostgresServers,
    size: number,
    onConnected: (connection: PostgresConnection) => Promise<void>,
  ) {
    this.#servers = servers;
    this.#size = size;
    this.#onConnected = onConnected;
  }

  rows(statement: Statement, ...values: SqlValue[]): Promise<readonly SqlRow[]> {
    return this.run((reader) => reader.rows(statement, ...values));
  }

  /** Has a connection asked by `ask`; another one too, if the first is given up because of what was asked before. */
  async run<T>(ask: (reader: PostgresConnection) => Promise<T>): Promise<T> {
    const giveUpAt = performance.now() + this.#servers.target.statementDeadline;
    for (let tries = 1; ; tries += 1) {
      const reader = this.#idlest() ?? (await this.connected());
      try {
        return await ask(reader);
      } catch (error) {
        const isBlocked = isPastDeadline(error);
        if (isBlocked) reader.giveUp('a statement before this one waited for a lock past its deadline');
        if (isOutdated(error)) reader.giveUp(OUTDATED);
        // A statement behind a blocked one never ran, so it gets one more try even if the blocked one took all of its time.
        const isLate = tries > 1 && performance.now() >= giveUpAt;
        if (isBlocked || !reader.isGivenUp || isLate) throw error;
      }
    }
  }

  /** An open connection. Makes one if there is none. */
  connected(): Promise<PostgresConnection> {
    const [open] = this.#open;
    return open === undefined ? this.#connect() : Promise.resolve(open);
  }

  /** Asks every connection something, so that a dead one is noticed before a read needs it. */
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
      if (!this.#servers.isCurrent(reader)) return this.#withoutOutdated();
      if (idlest === undefined || reader.waiting < idlest.waiting) idlest = reader;
    }
    // A missing connection is made while the others work.
    if (idlest !== undefined && this.#open.length < this.#size) this.#connect().catch(() => {});
    return idlest;
  }

  /** Closes the connections that are lost, or lead to a server that was replaced. */
  #withoutOutdated(): PostgresConnection | undefined {
    const outdated = this.#open.filter((reader) => !this.#servers.isCurrent(reader));
    this.#open = this.#open.filter((reader) => !outdated.includes(reader));
    for (const reader of outdated) void reader.close();
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

/**
 * The connections of read units. Validations have one of their own: whatever other reads wait for, such as a table that an
 * operator has locked, a validation waits for it only if it needs that table.
 */
export interface ReadPools {
  readonly validations: ReadPool;
  readonly others: ReadPool;
}

/** After how many looks at the servers an idle connection is closed: a firewall may have forgotten it. */
const LOOKS_WHILE_IDLE = 15;

interface Waiter {
  readonly take: (connection: PostgresConnection) => void;
  readonly fail: (error: unknown) => void;
}

/** The connections that write units use alone, one unit at a time. Units get them in the order in which they ask. */
export class WritePool {
  readonly #servers: PostgresServers;
  readonly #idle: { readonly connection: PostgresConnection; readonly since: number }[] = [];
  readonly #queue = new Set<Waiter>();
  /** How many connections are idle, taken or being made. */
  #made = 0;
  #making = 0;
  #closed = false;

  constructor(servers: PostgresServers) {
    this.#servers = servers;
  }

  /** A connection for one unit, which has to give it back. Throws {@link StoreUnavailable} if none is free in time. */
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
    else this.#drop(connection);
    this.#serve();
  }

  /** Closes all connections. Afterwards none may be taken. */
  async close(): Promise<void> {
    this.#closed = true;
    await Promise.all(this.#idle.splice(0).map(({ connection }) => connection.close()));
  }

  /** Gives idle connections to waiting units, and makes connections for the others up to the limit. */
  #serve(): void {
    for (const waiter of this.#queue) {
      const connection = this.#takeIdle();
      if (connection === undefined) break;
      waiter.take(connection);
    }
    const missing = Math.min(this.#queue.size - this.#making, this.#servers.target.writers - this.#made);
    for (let n = 0; n < missing; n++) void this.#make();
  }

  #takeIdle(): PostgresConnection | undefined {
    const oldest = performance.now() - LOOKS_WHILE_IDLE * this.#servers.target.watchEvery;
    for (let idle = this.#idle.pop(); idle !== undefined; idle = this.#idle.pop()) {
      const { connection, since } = idle;
      if (this.#servers.isCurrent(connection) && since > oldest) return connection;
      this.#drop(connection);
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
      // The units that wait would get the same fault later.
      if (this.#made === 0) for (const waiter of this.#queue) waiter.fail(error);
    }
  }

  #drop(connection: PostgresConnection): void {
    this.#made -= 1;
    void connection.close();
  }
}
