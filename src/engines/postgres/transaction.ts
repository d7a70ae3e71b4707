import { setTimeout as pause } from 'node:timers/promises';
import type { QueryResult } from 'pg';
import type { Digest } from '../../core/domain/ticket.ts';
import { type CoreWriteUnit, StoreUnavailable, type WriteUnit } from '../../core/storage/store.ts';
import { peopleIn } from '../sql/people.ts';
import type { SqlRow } from '../sql/sql.ts';
import type { LockedRows, UnitTable } from '../sql/statement.ts';
import { type SqlValue, type Statement, statement } from '../sql/statement.ts';
import { removalsIn, writeUnitOf } from '../sql/tables.ts';
import { usersIn } from '../sql/users.ts';
import { attemptsIn } from './attempts.ts';
import type { PostgresConnection } from './connection.ts';
import { isConflict, isOutdated, stateOf, translated } from './errors.ts';
import { eventsIn } from './events.ts';
import { GROUPS_KEY, NODES_KEY, USERS_KEY } from './keys.ts';
import { OUTDATED, type WritePool } from './pools.ts';
import type { Batch, PostgresWriting } from './statement.ts';
import { ticketsIn } from './tickets.ts';
import { SEARCH } from './user-search.ts';

/** How often a unit is tried that conflicts with others. */
const TRIES = 8;
/** The longest pause between two tries, in milliseconds. */
const LONGEST_PAUSE = 20;
const READ_ONLY = '25006';

/** What a write unit works with. */
export interface WriteParts {
  readonly writers: WritePool;
  readonly tables: readonly UnitTable[];
  /** Called for each use of a ticket that the unit writes. */
  readonly onUse: (digest: Digest) => void;
}

/** Runs a write unit. Runs it again after a conflict with another unit, since nothing of it was kept then. */
export async function write<T>(parts: WriteParts, work: (unit: WriteUnit) => Promise<T>): Promise<T> {
  const start = performance.now();
  for (let left = TRIES - 1; ; left--) {
    try {
      return await writeOnce(parts, work, start);
    } catch (error) {
      if (!isConflict(error) || left === 0) throw error;
    }
    await pause(Math.random() * LONGEST_PAUSE);
  }
}

async function writeOnce<T>(
  parts: WriteParts,
  work: (unit: WriteUnit) => Promise<T>,
  start: number,
): Promise<T> {
  const { writers } = parts;
  const connection = await writers.take();
  const transaction = new Transaction(connection, performance.now() - start);
  try {
    const value = await work(unitOn(transaction, parts));
    await transaction.commit();
    return value;
  } catch (error) {
    await transaction.rollBack();
    // Another server may be the writable one now: the next connection looks for it.
    if (stateOf(error) === READ_ONLY) connection.destroy('the server is read-only');
    if (isOutdated(error)) connection.destroy(OUTDATED);
    throw error;
  } finally {
    writers.give(connection);
  }
}

function unitOn(transaction: Transaction, { tables, onUse }: WriteParts): WriteUnit {
  const own: CoreWriteUnit = {
    users: usersIn(transaction, SEARCH, removalsIn(tables)),
    tickets: ticketsIn(transaction, onUse),
    attempts: attemptsIn(transaction),
    events: eventsIn(transaction),
    ...peopleIn(transaction),
    aside: (work) => transaction.aside(work),
    async lock(...sets) {
      for (const set of sets) await transaction.lock(set);
    },
  };
  return writeUnitOf(own, tables, (table) => table.write(transaction));
}

/** The longest wait for a connection that changes no deadline, in milliseconds. */
const SHORT_WAIT = 100;
/** The least time that a statement gets, in milliseconds. The server takes 0 for no deadline. */
const LEAST_TIME = 500;

const deadlineAfter = (waited: number, deadline: number) =>
  `SET LOCAL statement_timeout = ${Math.round(Math.max(LEAST_TIME, deadline - waited))}`;

const KEY_OF: Readonly<Record<LockedRows, bigint>> = {
  users: USERS_KEY,
  groups: GROUPS_KEY,
  nodes: NODES_KEY,
};
const LOCK = statement('locks', 'advisory', 'SELECT pg_advisory_xact_lock($1::bigint)');
/** With more statements under way than this, the sender of another one waits for its answer. */
const MOST_WAITING = 500;
/** How many items of a batch one statement writes at most. */
const MOST_GATHERED = 5_000;

/**
 * The transaction of one write unit. A statement without a result is sent without waiting for its answer. If it fails, the
 * next statement whose answer is awaited fails with its fault, at the latest the commit.
 */
export class Transaction implements PostgresWriting {
  readonly #connection: PostgresConnection;
  readonly #gathered = new Map<Batch<never>, unknown[]>();
  #held = new Set<bigint>();
  #fault: unknown;
  #depth = 0;
  #ended = false;

  /** `waited` is how long the unit has waited already, in milliseconds. Its statements have that much less time. */
  constructor(connection: PostgresConnection, waited: number) {
    this.#connection = connection;
    // A statement that waited for a lock has to read what the holder of the lock committed.
    const begin = 'BEGIN ISOLATION LEVEL READ COMMITTED';
    const text = waited < SHORT_WAIT ? begin : `${begin}; ${deadlineAfter(waited, connection.deadline)}`;
    void this.#post(this.#withFirstFault(connection.text(text)));
  }

  async rows(query: Statement, ...values: SqlValue[]): Promise<readonly SqlRow[]> {
    return (await this.#run(query, values)).rows;
  }

  async change(query: Statement, ...values: SqlValue[]): Promise<number> {
    return (await this.#run(query, values)).rowCount ?? 0;
  }

  async send(query: Statement, ...values: SqlValue[]): Promise<void> {
    await this.#post(this.#run(query, values));
  }

  async gather<T>(batch: Batch<T>, item: T): Promise<void> {
    this.#assertGoing();
    const items = this.#gathered.get(batch as Batch<never>) ?? [];
    this.#gathered.set(batch as Batch<never>, items);
    items.push(item);
    if (items.length >= MOST_GATHERED) await this.#write(batch as Batch<never>);
  }

  lock(set: LockedRows): Promise<void> {
    return this.hold(KEY_OF[set]);
  }

  async hold(key: bigint): Promise<void> {
    if (this.#held.has(key)) return;
    this.#held.add(key);
    await this.send(LOCK, String(key));
  }

  /** Does `work` in a savepoint: returns its fault, and undoes this part alone. */
  async aside(work: () => Promise<void>): Promise<unknown> {
    this.#writeGathered();
    this.#depth += 1;
    const name = `aside_${this.#depth}`;
    const locks = new Set(this.#held);
    void this.#post(this.#withFirstFault(this.#connection.text(`SAVEPOINT ${name}`)));
    try {
      await work();
      this.#writeGathered();
      await this.#withFirstFault(this.#connection.text(`RELEASE ${name}`));
      return undefined;
    } catch (error) {
      if (isConflict(error)) throw error;
      await this.#undoTo(name);
      this.#held = locks;
      return translated(error);
    } finally {
      this.#depth -= 1;
    }
  }

  /** Commits. Throws the first fault of the unit, or {@link StoreUnavailable} when the outcome is not known. */
  async commit(): Promise<void> {
    this.#writeGathered();
    this.#ended = true;
    const { warnings } = this.#connection;
    const { command } = await this.#withFirstFault(this.#connection.text('COMMIT')).catch(
      (error: unknown) => {
        throw stateOf(error) === undefined ? unknownOutcome(error) : error;
      },
    );
    // COMMIT rolls a transaction back in which a statement failed, and reports no error.
    if (command !== 'COMMIT') throw this.#fault ?? new Error(`the answer to a COMMIT was ${command}`);
    // When the wait for the standby was cancelled the server commits all the same, and only warns.
    if (this.#connection.warnings !== warnings) throw unknownOutcome(undefined);
  }

  /** Undoes everything. Afterwards the connection is ready for the next unit, or lost. */
  async rollBack(): Promise<void> {
    this.#ended = true;
    await this.#connection.text('ROLLBACK').catch(() => undefined);
  }

  async #undoTo(name: string): Promise<void> {
    this.#gathered.clear();
    try {
      await this.#connection.text(`ROLLBACK TO ${name}; RELEASE ${name}`);
    } catch (error) {
      // The savepoint was never made if the unit had failed before.
      throw this.#fault ?? error;
    }
    this.#fault = undefined;
  }

  #run(query: Statement, values: readonly SqlValue[]): Promise<QueryResult<SqlRow>> {
    this.#assertGoing();
    this.#writeGathered(query.group);
    return this.#withFirstFault(this.#connection.run(query, values));
  }

  /** Passes the answer on. Of several faults the first is thrown each time, since it caused the others. */
  #withFirstFault<T>(answer: Promise<T>): Promise<T> {
    return answer.catch((error: unknown) => {
      this.#fault ??= error;
      throw this.#fault;
    });
  }

  /** Returns nothing to wait for, unless too many statements are under way. */
  #post(answer: Promise<unknown>): Promise<unknown> | undefined {
    answer.catch(() => undefined);
    return this.#connection.waiting > MOST_WAITING ? answer : undefined;
  }

  #writeGathered(group?: string): void {
    for (const batch of this.#gathered.keys()) {
      if (group === undefined || batch.statement.group === group) void this.#write(batch);
    }
  }

  #write(batch: Batch<never>): Promise<unknown> | undefined {
    const items = (this.#gathered.get(batch) ?? []) as never[];
    this.#gathered.delete(batch);
    return this.#post(this.#withFirstFault(this.#connection.run(batch.statement, batch.values(items))));
  }

  #assertGoing(): void {
    if (this.#ended) throw new Error('the write unit has ended: something in it was not awaited');
  }
}

function unknownOutcome(cause: unknown): StoreUnavailable {
  return new StoreUnavailable('whether a transaction was committed is not known', { cause });
}
