import { Client, type ClientConfig, DatabaseError, type QueryResult } from 'pg';
import { StoreUnavailable } from '../../core/storage/store.ts';
import { type Host, passwordNow } from '../server-url.ts';
import type { SqlRow } from '../sql/sql.ts';
import type { Reading, SqlValue, Statement } from '../sql/statement.ts';
import type { PostgresTarget } from './target.ts';

/** How much longer than the server's own deadline an answer may take, so that its refusal can arrive. In milliseconds. */
const GRACE = 1_000;
/** How often a connection is checked for an overdue answer, in milliseconds. */
const CHECK_EVERY = 250;
const INT8 = 20;
const BYTES = 17;
const BOOLEAN = 16;

/** PostgreSQL refuses NUL in a text, so texts are escaped on their way to the server, and so is the escape character. */
export function escaped(text: string): string {
  const escapes = text.includes('\0') || text.includes('\u0001');
  return escapes ? text.replaceAll('\u0001', '\u0001b').replaceAll('\0', '\u0001a') : text;
}

function unescaped(text: string): string {
  return text.includes('\u0001') ? text.replaceAll('\u0001a', '\0').replaceAll('\u0001b', '\u0001') : text;
}

const PARSERS: Readonly<Record<number, (text: string) => unknown>> = {
  [INT8]: Number,
  [BYTES]: (text) => Buffer.from(text.slice(2), 'hex'),
  [BOOLEAN]: (text) => text === 't',
};
const getTypeParser = (type: number) => PARSERS[type] ?? unescaped;

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
    // With a function here the driver does not look for a password elsewhere.
    password: () => passwordNow(target.password),
    ssl: target.tls,
    options: target.serverOptions,
    application_name: target.application,
    connectionTimeoutMillis: target.connectDeadline,
    statement_timeout: deadline,
    // A process that is stopped in mid-transaction must not hold its locks for ever.
    idle_in_transaction_session_timeout: 2 * target.statementDeadline,
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    pipeline: true,
    types: { getTypeParser: getTypeParser as NonNullable<ClientConfig['types']>['getTypeParser'] },
  };
}

/**
 * One connection. It pipelines: a statement is sent without waiting for earlier answers. Faults that the server reports are
 * passed on as they are; any other fault means that the connection is lost.
 */
export class PostgresConnection implements Reading {
  readonly #client: Client;
  /** How long each statement may take, in milliseconds; 0 for ever. */
  readonly deadline: number;
  #watch: NodeJS.Timeout | undefined;
  #fault: unknown;
  #open = false;
  #isGivenUp = false;
  #waiting = 0;
  #answeredAt = 0;
  #warnings = 0;

  constructor(host: Host, target: PostgresTarget, deadline: number) {
    this.deadline = deadline;
    this.#client = new Client(configOf(host, target, deadline));
    this.#client.on('error', (error) => this.#lost(error));
    this.#client.on('end', () => this.#lost(undefined));
    // The severity comes in the server's language. Among notices only warnings have a code other than success.
    this.#client.on('notice', ({ code }) => {
      if (code !== '00000') this.#warnings += 1;
    });
  }

  async connect(): Promise<void> {
    await this.#client.connect();
    this.#open = true;
    if (this.deadline > 0) this.#watch = setInterval(() => this.#check(), CHECK_EVERY).unref();
  }

  get isOpen(): boolean {
    return this.#open;
  }

  /** Whether the connection was closed by {@link giveUp}. */
  get isGivenUp(): boolean {
    return this.#isGivenUp;
  }

  /** How many statements are not yet answered. */
  get waiting(): number {
    return this.#waiting;
  }

  /** How many warnings the server gave so far. */
  get warnings(): number {
    return this.#warnings;
  }

  async rows(statement: Statement, ...values: SqlValue[]): Promise<readonly SqlRow[]> {
    return (await this.run(statement, values)).rows;
  }

  run(statement: Statement, values: readonly SqlValue[] = []): Promise<QueryResult<SqlRow>> {
    const { name, text } = statement;
    return this.#ask({ name, text, values: values.map(escapedValue) });
  }

  /** Runs a text that is not prepared. */
  text(text: string): Promise<QueryResult<SqlRow>> {
    return this.#ask({ text });
  }

  /** Closes the connection once everything is answered, or the server has stopped answering. */
  async close(): Promise<void> {
    this.#open = false;
    const cut = this.#waiting === 0 ? setTimeout(() => this.destroy('closed'), GRACE) : undefined;
    await this.#client.end();
    clearTimeout(cut);
  }

  /** Closes the connection at once, because other ones can answer its statements. */
  giveUp(why: string): void {
    this.#isGivenUp = true;
    this.destroy(why);
  }

  /** Closes the connection at once. */
  destroy(why: string): void {
    this.#open = false;
    this.#client.connection.stream.destroy(new Error(why));
  }

  #ask(query: { name?: string; text: string; values?: unknown[] }): Promise<QueryResult<SqlRow>> {
    if (this.#waiting === 0) this.#answeredAt = performance.now();
    this.#waiting += 1;
    return new Promise((resolve, reject) => {
      const answer = (error: Error | undefined, result: QueryResult<SqlRow>) => {
        this.#waiting -= 1;
        this.#answeredAt = performance.now();
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

  /** Destroys the connection when the server neither answers nor closes it. */
  #check(): void {
    if (!this.#isOverdue()) return;
    // Reads what arrived while this process stood still before it calls the server silent.
    setImmediate(() => {
      if (this.#isOverdue()) this.destroy(`nothing was answered for ${this.deadline + GRACE} ms`);
    });
  }

  #isOverdue(): boolean {
    return this.#waiting > 0 && performance.now() - this.#answeredAt > this.deadline + GRACE;
  }
}
