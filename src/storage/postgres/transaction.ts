import type { QueryResult } from 'pg';
import { StoreUnavailable } from '../store.ts';
import type { PostgresConnection } from './connection.ts';
import { isConflict, stateOf, translated } from './errors.ts';
import {
  type Batch,
  type ResultRow,
  type SqlValue,
  type Statement,
  statement,
  type Writing,
} from './statement.ts';

const HOLD = statement('lock', 'hold', 'SELECT pg_advisory_xact_lock($1::bigint)');
/** Statements under way from which on a sender waits for the answer. */
const MOST_WAITING = 500;
const MOST_GATHERED = 5_000;

/**
 * The transaction of one write unit. Whatever gives nothing back is sent without waiting for the answer; its fault
 * fails what comes after it, at the latest the commit.
 */
export class Transaction implements Writing {
  readonly #connection: PostgresConnection;
  readonly #gathered = new Map<Batch<never>, unknown[]>();
  #held = new Set<bigint>();
  #fault: unknown;
  #depth = 0;
  #ended = false;

  constructor(connection: PostgresConnection) {
    this.#connection = connection;
    // What is read after waiting for a lock has to be what the lock's holder left.
    void this.#post(this.#heard(connection.text('BEGIN ISOLATION LEVEL READ COMMITTED')));
  }

  async rows(asked: Statement, ...values: SqlValue[]): Promise<readonly ResultRow[]> {
    return (await this.#run(asked, values)).rows;
  }

  async change(asked: Statement, ...values: SqlValue[]): Promise<number> {
    return (await this.#run(asked, values)).rowCount ?? 0;
  }

  async send(asked: Statement, ...values: SqlValue[]): Promise<void> {
    await this.#post(this.#run(asked, values));
  }

  async gather<T>(batch: Batch<T>, item: T): Promise<void> {
    this.#assertGoing();
    const items = this.#gathered.get(batch as Batch<never>) ?? [];
    this.#gathered.set(batch as Batch<never>, items);
    items.push(item);
    if (items.length >= MOST_GATHERED) await this.#write(batch as Batch<never>);
  }

  async hold(key: bigint): Promise<void> {
    if (this.#held.has(key)) return;
    this.#held.add(key);
    await this.send(HOLD, String(key));
  }

  /** Does `work` as a part that may fail alone, and gives back its fault. */
  async aside(work: () => Promise<void>): Promise<unknown> {
    this.#writeGathered();
    this.#depth += 1;
    const name = `aside_${this.#depth}`;
    const held = new Set(this.#held);
    void this.#post(this.#heard(this.#connection.text(`SAVEPOINT ${name}`)));
    try {
      await work();
      this.#writeGathered();
      await this.#heard(this.#connection.text(`RELEASE ${name}`));
      return undefined;
    } catch (error) {
      if (isConflict(error)) throw error;
      await this.#undoTo(name);
      this.#held = held;
      return translated(error);
    } finally {
      this.#depth -= 1;
    }
  }

  /** Commits. Throws the fault of whatever failed on the way, and {@link StoreUnavailable} when the outcome is not known. */
  async commit(): Promise<void> {
    this.#writeGathered();
    this.#ended = true;
    const { warnings } = this.#connection;
    const { command } = await this.#heard(this.#connection.text('COMMIT')).catch((error: unknown) => {
      throw stateOf(error) === undefined ? unknownOutcome(error) : error;
    });
    // A transaction in which a statement failed is rolled back by its COMMIT, without an error.
    if (command !== 'COMMIT') throw this.#fault ?? new Error(`the answer to a COMMIT was ${command}`);
    // The wait for the standby was cancelled: the server commits all the same, and only warns.
    if (this.#connection.warnings !== warnings) throw unknownOutcome(undefined);
  }

  /** Undoes everything; the connection can then be used for the next unit, or is lost. */
  async rollBack(): Promise<void> {
    this.#ended = true;
    await this.#connection.text('ROLLBACK').catch(() => undefined);
  }

  async #undoTo(name: string): Promise<void> {
    this.#gathered.clear();
    try {
      await this.#connection.text(`ROLLBACK TO ${name}; RELEASE ${name}`);
    } catch (error) {
      // There is no such savepoint when the unit had failed before it was made.
      throw this.#fault ?? error;
    }
    this.#fault = undefined;
  }

  #run(asked: Statement, values: readonly SqlValue[]): Promise<QueryResult<ResultRow>> {
    this.#assertGoing();
    this.#writeGathered(asked.noun);
    return this.#heard(this.#connection.run(asked, values));
  }

  /** The answer; of several faults the first is given each time, since the others only follow from it. */
  #heard<T>(answer: Promise<T>): Promise<T> {
    return answer.catch((error: unknown) => {
      this.#fault ??= error;
      throw this.#fault;
    });
  }

  /** Does not wait for the answer, unless too many are missing. */
  #post(answer: Promise<unknown>): Promise<unknown> | undefined {
    answer.catch(() => undefined);
    return this.#connection.waiting > MOST_WAITING ? answer : undefined;
  }

  #writeGathered(noun?: string): void {
    for (const batch of this.#gathered.keys()) {
      if (noun === undefined || batch.statement.noun === noun) void this.#write(batch);
    }
  }

  #write(batch: Batch<never>): Promise<unknown> | undefined {
    const items = (this.#gathered.get(batch) ?? []) as never[];
    this.#gathered.delete(batch);
    return this.#post(this.#heard(this.#connection.run(batch.statement, batch.values(items))));
  }

  #assertGoing(): void {
    if (this.#ended) throw new Error('the write unit has ended: something in it was not awaited');
  }
}

function unknownOutcome(cause: unknown): StoreUnavailable {
  return new StoreUnavailable('whether a transaction was committed is not known', { cause });
}
