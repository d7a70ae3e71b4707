import { tracingChannel } from 'node:diagnostics_channel';
import { statSync } from 'node:fs';
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type { Digest, HeldTicket } from '../../core/domain/ticket.ts';
import { userKey } from '../../core/domain/user.ts';
import {
  type Attempts,
  type CoreReadUnit,
  type CoreWriteUnit,
  type CounterKey,
  type LoginAttempt,
  type ReadUnit,
  type Store,
  type StoredThrottleState,
  StoreUnavailable,
  type WriteUnit,
} from '../../core/storage/store.ts';
import { TicketCache } from '../cache/recently-read.ts';
import { peopleIn } from '../sql/people.ts';
import { ATTEMPTS, counterBytes, type SqlRow, toThrottleState } from '../sql/sql.ts';
import type { SqlValue, Statement, UnitTable, Writing } from '../sql/statement.ts';
import { readUnitOf, removalsIn, writeUnitOf } from '../sql/tables.ts';
import { usersIn } from '../sql/users.ts';
import { AnswerCache, ThrottleStateCache, writingTickets, writingUsers } from './caches.ts';
import { translated } from './errors.ts';
import { eventsOn } from './events.ts';
import { placeholders, prepared } from './prepare.ts';
import { ReadCache, WalWatcher } from './read-cache.ts';
import { lookUp, ticketsOn } from './tickets.ts';
import { SEARCH } from './user-search.ts';
import { SqliteWriter } from './writer.ts';

/** SQLite has no flags and no lists: a flag is 0 or 1 there, and a list a JSON array. */
function bound(value: SqlValue): string | number | Buffer | null {
  if (typeof value === 'boolean') return Number(value);
  return Array.isArray(value) ? JSON.stringify(value) : (value as string | number | Buffer | null);
}

/**
 * The statements of tables over one connection, each prepared when it is first used; on a reading connection SQLite itself refuses
 * the writes. Nothing is locked: one unit writes at a time.
 */
export class SqliteStatements implements Writing {
  readonly #db: DatabaseSync;
  readonly #prepared = new Map<Statement, StatementSync>();

  constructor(db: DatabaseSync) {
    this.#db = db;
    db.function('user_key', { deterministic: true }, (key) => userKey(key as string));
  }

  async rows(statement: Statement, ...values: SqlValue[]): Promise<readonly SqlRow[]> {
    return this.#of(statement).all(...values.map(bound));
  }

  async change(statement: Statement, ...values: SqlValue[]): Promise<number> {
    return Number(this.#of(statement).run(...values.map(bound)).changes);
  }

  async send(statement: Statement, ...values: SqlValue[]): Promise<void> {
    this.#of(statement).run(...values.map(bound));
  }

  async lock(): Promise<void> {}

  #of(statement: Statement): StatementSync {
    const cached = this.#prepared.get(statement);
    if (cached !== undefined) return cached;
    const prepared = this.#db.prepare(placeholders(statement.sqlite));
    this.#prepared.set(statement, prepared);
    return prepared;
  }
}

const { throttleState, ...OTHERS } = ATTEMPTS;
const STATEMENTS = {
  ...OTHERS,
  count: 'SELECT count(*) AS counters FROM attempts',
  trim: `DELETE FROM attempts WHERE key IN
    (SELECT key FROM attempts ORDER BY wait_until > $1, last_failure_at LIMIT $2)`,
  sweepFamiliar: `DELETE FROM familiar_addresses WHERE (user_id, address) IN
    (SELECT user_id, address FROM familiar_addresses WHERE last_login_at < $1 LIMIT $2)`,
};

/** Returns a function that reads a throttle state, all of it in one row. */
function throttleStateOn(db: DatabaseSync): (attempt: LoginAttempt) => StoredThrottleState {
  const { find } = prepared(db, { find: throttleState });
  return ({ userKey, address, keys }) =>
    toThrottleState(find.get(userKey ?? null, address, ...counterBytes(keys)) as SqlRow);
}

const bytes = (key: CounterKey) => Buffer.from(key, 'hex');

/** The counters and familiar addresses over one connection. */
function attemptsOn(db: DatabaseSync): Attempts {
  const find = throttleStateOn(db);
  const sql = prepared(db, STATEMENTS);
  return {
    throttleState: async (attempt) => find(attempt),
    async put(key, name, { failures, since, lastFailureAt, waitUntil }) {
      const nameKey = name === undefined ? null : bytes(name);
      sql.put.run(bytes(key), nameKey, failures, since, lastFailureAt, waitUntil);
    },
    async remove(key) {
      sql.remove.run(bytes(key));
    },
    async removeOfName(name) {
      sql.removeOfName.run(bytes(name));
    },
    async trim(most, now) {
      const excess = (sql.count.get()?.counters as number) - most;
      if (excess > 0) sql.trim.run(now, excess);
    },
    async setFamiliar(userId, address, at) {
      sql.setFamiliar.run(userId, address, at);
    },
    async forgetFamiliar(userId, address) {
      sql.forgetFamiliar.run(userId, address);
    },
    sweepFamiliar: async (at, limit) => Number(sql.sweepFamiliar.run(at, limit).changes),
  };
}

/** A database that is open: one connection writes, another reads what is committed. */
export interface Connections {
  readonly file: string;
  readonly writing: DatabaseSync;
  readonly reading: DatabaseSync;
}

const tablesOn = (db: DatabaseSync, statements: SqliteStatements, removals: readonly Statement[]) => ({
  users: usersIn(statements, SEARCH, removals),
  tickets: ticketsOn(db),
  events: eventsOn(statements),
  ...peopleIn(statements),
});

/** The units with the tables of the capabilities, some through a cache. */
function withCapabilities(
  cache: ReadCache,
  {
    readUnit,
    written,
  }: { readonly readUnit: CoreReadUnit; readonly written: Omit<CoreWriteUnit, 'aside' | 'lock'> },
  { reads, writes }: { readonly reads: SqliteStatements; readonly writes: SqliteStatements },
  tables: readonly UnitTable[],
): { readUnit: ReadUnit; written: Omit<WriteUnit, 'aside' | 'lock'> } {
  const caches = new Map(
    tables.flatMap((table) =>
      table.cached ? [[table, new AnswerCache(cache, table.member, table.cached)]] : [],
    ),
  );
  return {
    readUnit: readUnitOf(readUnit, tables, (table) => {
      const opened = table.read(reads);
      return caches.get(table)?.reading(opened) ?? opened;
    }),
    written: writeUnitOf(written, tables, (table) => {
      const opened = table.write(writes);
      return caches.get(table)?.writing(opened) ?? opened;
    }),
  };
}

/** The ticket as the last commit left it. */
function cachedLookUp(
  { changes, most }: ReadCache,
  lookUp: (digest: Digest) => HeldTicket | undefined,
): (digest: Digest) => HeldTicket | undefined {
  const cache = new TicketCache(changes, most);
  return (digest) => {
    const cached = cache.find(digest);
    if (cached !== undefined) return cached;
    const heldTicket = lookUp(digest);
    if (heldTicket !== undefined) cache.keep(heldTicket, changes.now);
    return heldTicket;
  };
}

/** What read units read, through caches, and what write units write, whose changes the caches hear of. */
function unitsOn(cache: ReadCache, { reading, writing }: Connections, tables: readonly UnitTable[]) {
  const removals = removalsIn(tables);
  const [reads, writes] = [new SqliteStatements(reading), new SqliteStatements(writing)];
  const [read, write] = [tablesOn(reading, reads, removals), tablesOn(writing, writes, removals)];
  const find = cachedLookUp(cache, lookUp(reading));
  const throttleStates = new ThrottleStateCache(cache, throttleStateOn(reading));
  const readUnit: CoreReadUnit = {
    ...read,
    attempts: { throttleState: (attempt, state) => throttleStates.find(attempt, state) },
    tickets: { ...read.tickets, find },
  };
  const ofUsers = tables.flatMap(({ member, cached, removeOfUser }) =>
    cached && removeOfUser ? [member] : [],
  );
  const written = {
    ...write,
    users: writingUsers(write.users, cache, ofUsers),
    attempts: throttleStates.writing(attemptsOn(writing)),
    tickets: writingTickets(write.tickets, cache),
  };
  return withCapabilities(cache, { readUnit, written }, { reads, writes }, tables);
}

/** Publishes each unit with its engine and its access. */
const units = tracingChannel('tessera:store');
const READ = { engine: 'sqlite', access: 'read' };
const WRITE = { engine: 'sqlite', access: 'write' };

/** The store on an open database, which keeps at most so many of the values of each kind that it read. Closing the store closes the database. */
export function storeOn(connections: Connections, tables: readonly UnitTable[], most?: number): Store {
  const { file, writing, reading } = connections;
  const commits = new WalWatcher(file);
  const cache = new ReadCache(commits, writing, most);
  const { readUnit, written } = unitsOn(cache, connections, tables);
  const check = fileCheck(file);
  const writer = new SqliteWriter(writing, written, cache, check.now);
  const readsDone = Promise.withResolvers<void>();
  let reads = 0;
  let closing: Promise<void> | undefined;

  async function close(): Promise<void> {
    if (reads === 0) readsDone.resolve();
    await Promise.allSettled([writer.close(), readsDone.promise]);
    reading.close();
    writing.close();
    commits.close();
  }

  const read: Store['read'] = async (work) => {
    if (closing !== undefined) throw new StoreUnavailable('the store is closed');
    reads += 1;
    try {
      await cache.upToDate();
      check.lately();
      const done = work(readUnit);
      // To await a value that is there already would cost a turn.
      return done instanceof Promise ? await done : done;
    } catch (error) {
      throw translated(error);
    } finally {
      reads -= 1;
      if (reads === 0 && closing !== undefined) readsDone.resolve();
    }
  };

  return {
    read: (work) => (units.hasSubscribers ? units.tracePromise(() => read(work), { ...READ }) : read(work)),
    write: (work) =>
      units.hasSubscribers ? units.tracePromise(() => writer.run(work), { ...WRITE }) : writer.run(work),
    close() {
      closing ??= close();
      return closing;
    },
  };
}

/** How long a read relies on the last check, in milliseconds. */
const CHECK_EVERY = 1_000;

/** Device and inode of the file; undefined where there is none. */
function identityOf(file: string): string | undefined {
  try {
    const stat = statSync(file, { bigint: true, throwIfNoEntry: false });
    return stat && `${stat.dev}:${stat.ino}`;
  } catch (cause) {
    throw new StoreUnavailable(
      `whether ${file} is still in its place cannot be seen, so nothing is read or written: let the service look into its folder`,
      { cause },
    );
  }
}

/**
 * Returns two checks that throw {@link StoreUnavailable} if the open database `file` was deleted or replaced, or cannot be
 * seen: `now` looks each time, `lately` at most once a second and repeats the last result meanwhile. What is committed to
 * a deleted file may be lost with the process, and what is read from it may be revoked in the new file. SQLite itself
 * checks this before it writes a journal, but not before it writes a write-ahead log.
 */
function fileCheck(file: string): { readonly now: () => void; readonly lately: () => void } {
  const opened = identityOf(file);
  let lastLook = Number.NEGATIVE_INFINITY;
  let fault: unknown;
  const now = () => {
    if (opened === undefined || identityOf(file) !== opened)
      throw new StoreUnavailable(
        `${file} was removed or replaced while it was open, so nothing is read or written: stop the service, put the right one there, and start again`,
      );
  };
  const look = () => {
    try {
      now();
      fault = undefined;
    } catch (error) {
      fault = error;
    }
  };
  const lately = () => {
    const time = performance.now();
    if (time - lastLook >= CHECK_EVERY) {
      lastLook = time;
      look();
    }
    if (fault !== undefined) throw fault;
  };
  return { now, lately };
}
