import { Client, type ClientConfig, DatabaseError, type QueryResult } from 'pg';
import type { Host } from '../host.ts';
import { passwordNow } from '../password.ts';
import { StoreUnavailable } from '../store.ts';
import { escaped, type Reading, type ResultRow, type SqlValue, type Statement } from './statement.ts';
import type { PostgresTarget } from './target.ts';

/** How much longer than the server's own deadline an answer may take: time for its refusal to arrive. */
const GRACE = 1_000;
const WATCH_EVERY = 250;
const INT8 = 20;
const BYTES = 17;
const BOOLEAN = 16;

const asText = (text: string) => text;
const PARSERS: Readonly<Record<number, (text: string) => unknown>> = {
  [INT8]: Number,
  [BYTES]: (text) => Buffer.from(text.slice(2), 'hex'),
  [BOOLEAN]: (text) => text === 't',
};
const getTypeParser = (type: number) => PARSERS[type] ?? asText;

const escapedValue = (value: SqlValue) => {
  if (typeof value === 'string') return escaped(value);
  if (!Array.isArray(value)) return value;
  return value.map((item) => (typeof item === 'string' ? escaped(item) : item));
};

function configOf({ name, port }: Host, target: PostgresTarget, deadline: number): ClientConfig {
  return {
    host: name,
    port,
    user: target.user,
    database: target.database,
    // A function, so that the driver looks nowhere else for one.
    password: () => passwordNow(target.password),
    ssl: target.tls,
    options: target.serverOptions,
    application_name: target.application,
    connectionTimeoutMillis: target.connectDeadline,
    statement_timeout: deadline,
    // Whoever was stopped in mid-transaction must not hold its locks for ever.
    idle_in_transaction_session_timeout: 2 * target.statementDeadline,
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    pipeline: true,
    types: { getTypeParser: getTypeParser as NonNullable<ClientConfig['types']>['getTypeParser'] },
  };
}

/**
 * One connection. Statements are sent without waiting for the answers of those before, and each is answered for
 * itself. Faults that the server reports are passed on as they are; all others mean that the connection is lost.
 */
export class PostgresConnection implements Reading {
  readonly #client: Client;
  readonly #deadline: number;
  #watch: NodeJS.Timeout | undefined;
  #fault: unknown;
  #open = false;
  #waiting = 0;
  #heardAt = 0;
  #warnings = 0;

  /** A deadline of 0 is none. */
  constructor(host: Host, target: PostgresTarget, deadline: number) {
    this.#deadline = deadline;
    this.#client = new Client(configOf(host, target, deadline));
    this.#client.on('error', (error) => this.#lost(error));
    this.#client.on('end', () => this.#lost(undefined));
    // The severity comes in the server's language. Of what is told, only warnings have a code that is not success.
    this.#client.on('notice', ({ code }) => {
      if (code !== '00000') this.#warnings += 1;
    });
  }

  async connect(): Promise<void> {
    await this.#client.connect();
    this.#open = true;
    if (this.#deadline > 0) this.#watch = setInterval(() => this.#check(), WATCH_EVERY).unref();
  }

  get isOpen(): boolean {
    return this.#open;
  }

  /** Statements that are not yet answered. */
  get waiting(): number {
    return this.#waiting;
  }

  /** Warnings that the server gave so far. */
  get warnings(): number {
    return this.#warnings;
  }

  async rows(statement: Statement, ...values: SqlValue[]): Promise<readonly ResultRow[]> {
    return (await this.run(statement, values)).rows;
  }

  run(statement: Statement, values: readonly SqlValue[] = []): Promise<QueryResult<ResultRow>> {
    const { name, text } = statement;
    return this.#ask({ name, text, values: values.map(escapedValue) });
  }

  /** Runs a text that is not prepared. */
  text(text: string): Promise<QueryResult<ResultRow>> {
    return this.#ask({ text });
  }

  /** Closes the connection once everything is answered, or the server does not answer any more. */
  async close(): Promise<void> {
    this.#open = false;
    const cut = this.#waiting === 0 ? setTimeout(() => this.destroy('closed'), GRACE) : undefined;
    await this.#client.end();
    clearTimeout(cut);
  }

  /** Closes the connection at once. */
  destroy(why: string): void {
    this.#client.connection.stream.destroy(new Error(why));
  }

  #ask(query: { name?: string; text: string; values?: unknown[] }): Promise<QueryResult<ResultRow>> {
    if (this.#waiting === 0) this.#heardAt = performance.now();
    this.#waiting += 1;
    return new Promise((resolve, reject) => {
      const answer = (error: Error | undefined, result: QueryResult<ResultRow>) => {
        this.#waiting -= 1;
        this.#heardAt = performance.now();
        if (error === undefined || error === null) resolve(result);
        else reject(error instanceof DatabaseError ? error : this.#lossOf(error));
      };
      this.#client.query(query, answer);
    });
  }

  #lossOf(error: Error): StoreUnavailable {
    return new StoreUnavailable('the connection to the database was lost', { cause: this.#fault ?? error });
  }

  #lost(error: unknown): void {
    this.#fault ??= error;
    this.#open = false;
    clearInterval(this.#watch);
  }

  /** A server that no longer answers at all, nor closes the connection, would be waited for for ever. */
  #check(): void {
    if (!this.#isOverdue()) return;
    // What has arrived while this process stood still is read before the server is called silent.
    setImmediate(() => {
      if (this.#isOverdue()) this.destroy(`nothing was answered for ${this.#deadline + GRACE} ms`);
    });
  }

  #isOverdue(): boolean {
    return this.#waiting > 0 && performance.now() - this.#heardAt > this.#deadline + GRACE;
  }
}
