import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import type { MigrationStatus } from '../../core/storage/opened-store.ts';
import { StoreUnavailable } from '../../core/storage/store.ts';
import { newerSchema, olderSchema, type WhenOlder } from '../sql/migration.ts';
import type { PostgresConnection } from './connection.ts';
import { stateOf } from './errors.ts';
import { SCHEMA_KEY } from './keys.ts';

/** Whether the connection's schema has the table, even if another connection has just made it. */
export async function tableIsThere(
  connection: PostgresConnection,
  name: 'tessera_migrations' | 'tessera_copy',
): Promise<boolean> {
  // Reads the catalogue's rows: the server looks names up in a cache that misses what others have just made.
  const { rows } = await connection.text(`SELECT EXISTS (SELECT FROM pg_class
    WHERE relname = '${name}' AND relnamespace = current_schema()::regnamespace) AS there`);
  return rows[0]?.there === true;
}

const FOLDER = new URL('./migrations/', import.meta.url);
const DUPLICATE_TABLE = '42P07';
/** Another transaction held a lock for too long, or waited for one of this transaction's. */
const HELD = ['55P03', '40P01'];
/** Begins a part of a migration that commits alone, so that tables are not locked through the whole migration. It can run twice. */
const COMMIT = '-- commit\n';
/** Begins such a part that is one statement, and runs again until that returns no row. */
const AGAIN = '-- again ';
/** How long to wait for others that migrate at the same time, or lock a table, such as a dump. In milliseconds. */
const OTHERS_TURN = 600_000;
/** How long to wait for a table at a time: every validation waits behind this wait, and is answered 503 after 5 s. */
const AT_A_TIME = '1s';
/** How long validations can run before the next try, in milliseconds. */
const BETWEEN_TRIES = 3_000;

/** The migrations that this version knows, in their order. */
const MIGRATIONS = readdirSync(FOLDER)
  .filter((file) => file.endsWith('.sql'))
  .sort();

/** When each migration was applied, by its number. */
async function applied(connection: PostgresConnection): Promise<Map<number, number>> {
  if (!(await tableIsThere(connection, 'tessera_migrations'))) return new Map();
  const { rows } = await connection.text('SELECT number, applied_at FROM tessera_migrations ORDER BY number');
  return new Map(rows.map((row) => [row.number as number, row.applied_at as number]));
}

/** The number of the newest migration that was applied. */
async function versionOf(connection: PostgresConnection): Promise<number> {
  const version = Math.max(0, ...(await applied(connection)).keys());
  if (version > MIGRATIONS.length) throw newerSchema(version, MIGRATIONS.length);
  return version;
}

/** Throws {@link StoreUnavailable} unless the database has the schema of this version. */
export async function assertCurrent(connection: PostgresConnection): Promise<void> {
  if ((await versionOf(connection)) < MIGRATIONS.length) throw olderSchema();
}

/** Every migration that this version knows, and when the database was given it. */
export async function migrationStatus(connection: PostgresConnection): Promise<MigrationStatus[]> {
  await versionOf(connection);
  const had = await applied(connection);
  return MIGRATIONS.map((file, index) => ({
    name: file.replace('.sql', ''),
    done: had.has(index + 1),
    appliedAt: had.get(index + 1),
  }));
}

/**
 * Brings the database to this version's schema in one transaction, unless a migration has parts that commit alone: it is done
 * with the last of them. When several instances start together one migrates and the others wait for it. It waits for others that lock a table, and lets other instances serve meanwhile. Refuses an older
 * schema if told so. The connection must have no deadline.
 */
export async function migrate(
  connection: PostgresConnection,
  whenOlder: WhenOlder = 'migrate',
): Promise<void> {
  const version = await versionOf(connection);
  if (version === MIGRATIONS.length) return;
  if (version > 0 && whenOlder === 'refuse') throw olderSchema();
  const giveUpAt = performance.now() + OTHERS_TURN;
  for (;;) {
    try {
      return await migrateWhole(connection);
    } catch (error) {
      if (!HELD.includes(stateOf(error) ?? '') || performance.now() > giveUpAt) throw error;
      await pause(BETWEEN_TRIES);
    }
  }
}

/** Begins a transaction that migrates, once no other instance does, and returns the version that it finds. */
async function beginTurn(connection: PostgresConnection): Promise<number> {
  // A statement that waited for another instance has to read what that one committed.
  await connection.text(
    `BEGIN ISOLATION LEVEL READ COMMITTED; SET LOCAL statement_timeout = 0; SET LOCAL lock_timeout = ${OTHERS_TURN}`,
  );
  await connection.text(`SELECT pg_advisory_xact_lock(${SCHEMA_KEY})`);
  await connection.text(`SET LOCAL lock_timeout = '${AT_A_TIME}'`);
  return versionOf(connection);
}

async function migrateWhole(connection: PostgresConnection): Promise<void> {
  try {
    const version = await beginTurn(connection);
    await migrateFrom(connection, version, {
      async betweenParts() {
        // Nobody is served by a database without a schema.
        if (version === 0) return undefined;
        await connection.text('COMMIT');
        return beginTurn(connection);
      },
    });
    await connection.text('COMMIT');
  } catch (error) {
    await connection.text('ROLLBACK').catch(() => undefined);
    if (stateOf(error) !== DUPLICATE_TABLE) throw error;
    throw new StoreUnavailable(
      'the database has tables of another program: make a database for this service alone',
      {
        cause: error,
      },
    );
  }
}

/** What the missing migrations took on a copy of the database. */
export interface CopyRehearsal {
  /** The size of the copy. */
  readonly bytes: number;
  /** Milliseconds of each migration, by its name. */
  readonly steps: ReadonlyMap<string, number>;
}

/**
 * Runs the missing migrations in a transaction, which it takes back. That locks tables, so it refuses a database that others are
 * connected to. The connection must have no deadline.
 */
export async function rehearse(connection: PostgresConnection): Promise<CopyRehearsal> {
  // Processes of the server itself, such as autovacuum, have no user.
  const { rows } = await connection.text(`SELECT pg_database_size(current_database()) AS bytes,
    (SELECT count(*) FROM pg_stat_activity WHERE datid = (SELECT oid FROM pg_database WHERE datname = current_database())
      AND pid <> pg_backend_pid() AND usesysid IS NOT NULL) AS others`);
  if (Number(rows[0]?.others) > 0)
    throw new StoreUnavailable(
      'it is the database of the service, or others are connected to it, and a trial locks its tables: name a database that a dump was restored into, and that nobody uses',
    );
  const steps = new Map<string, number>();
  await connection.text('BEGIN; SET LOCAL statement_timeout = 0');
  try {
    await migrateFrom(connection, await versionOf(connection), {
      onStep: (name, took) => steps.set(name, took),
    });
  } finally {
    await connection.text('ROLLBACK');
  }
  return { bytes: Number(rows[0]?.bytes), steps };
}

interface Course {
  readonly onStep?: (name: string, milliseconds: number) => void;
  /** Commits, and tells the version that is there then. */
  readonly betweenParts?: () => Promise<number | undefined>;
}

async function migrateFrom(connection: PostgresConnection, version: number, course: Course): Promise<void> {
  await connection.text(
    'CREATE TABLE IF NOT EXISTS tessera_migrations (number bigint PRIMARY KEY, applied_at bigint NOT NULL)',
  );
  for (const [index, file] of MIGRATIONS.entries()) {
    if (index < version) continue;
    const begun = performance.now();
    const doneBy = await runParts(connection, file, index, course);
    // Another instance had a turn between two parts.
    if (doneBy > index) return migrateFrom(connection, doneBy, course);
    await connection.text(
      `INSERT INTO tessera_migrations VALUES (${index + 1}, extract(epoch FROM clock_timestamp()) * 1000)`,
    );
    course.onStep?.(file.replace('.sql', ''), performance.now() - begun);
  }
}

/** Runs a migration, and returns the version before it, or a later one if another instance ran the rest of it meanwhile. */
async function runParts(
  connection: PostgresConnection,
  file: string,
  before: number,
  { betweenParts }: Course,
): Promise<number> {
  const parts = readFileSync(new URL(file, FOLDER), 'utf8').split(COMMIT);
  for (let at = 0; ; ) {
    const part = parts[at] ?? '';
    const { rowCount } = await connection.text(part);
    if (!part.startsWith(AGAIN) || rowCount === 0) at += 1;
    if (at === parts.length) return before;
    const version = (await betweenParts?.()) ?? before;
    if (version > before) return version;
  }
}
