import { readdirSync, readFileSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';
import type { MigrationStatus } from '../../core/storage/opened-store.ts';
import { StoreUnavailable } from '../../core/storage/store.ts';
import { newerSchema, olderSchema, type WhenOlder } from '../sql/migration.ts';
import { isBusy } from './errors.ts';

const FOLDER = new URL('./migrations/', import.meta.url);
const APPLICATION = 1_416_852_338;
/** How long to wait for other processes that open the same database, in milliseconds. */
const DEADLINE = 10_000;

const pragma = (db: DatabaseSync, name: string) => db.prepare(`PRAGMA ${name}`).get()?.[name] as number;

const migrations = readdirSync(FOLDER)
  .filter((file) => file.endsWith('.sql'))
  .sort();

/**
 * The schema version of the database, 0 for an empty one. Throws {@link StoreUnavailable} when the file is another
 * program's or has a newer schema. It only reads, so that such a file stays as it is.
 */
export function ourVersion(db: DatabaseSync): number {
  const version = pragma(db, 'user_version');
  const tables = db.prepare('SELECT count(*) AS tables FROM sqlite_schema').get()?.tables;
  // Read last, so that a schema that another process of ours makes meanwhile is recognized.
  const application = pragma(db, 'application_id');
  if (application !== APPLICATION && (application !== 0 || tables !== 0 || version !== 0)) {
    throw new StoreUnavailable('the database belongs to another program: point the data folder elsewhere');
  }
  if (version > migrations.length) throw newerSchema(version, migrations.length);
  return version;
}

/** Throws {@link StoreUnavailable} unless the database is ours, with a schema that this version knows. */
export function assertOurs(db: DatabaseSync): void {
  if (ourVersion(db) === 0) throw new StoreUnavailable('it is an empty database');
}

/** Throws {@link StoreUnavailable} unless the database is ours and has the schema of this version. */
export function assertCurrent(db: DatabaseSync): void {
  if (ourVersion(db) < migrations.length) throw olderSchema();
}

/** Whether a database has tables of an older schema than this version's, which a start changes. */
export const isOlder = (version: number): boolean => version > 0 && version < migrations.length;

/** Every migration that this version knows, and whether a database of this schema version has it. */
export function statusAt(version: number): MigrationStatus[] {
  return migrations.map((file, index) => ({
    name: file.replace('.sql', ''),
    done: index < version,
    appliedAt: undefined,
  }));
}

/** Switches to the write-ahead log. Waits while another process does the same, since SQLite does not. */
function writeAhead(db: DatabaseSync): void {
  const sleeping = new Int32Array(new SharedArrayBuffer(4));
  const deadline = performance.now() + DEADLINE;
  for (;;) {
    try {
      db.exec('PRAGMA journal_mode = WAL');
      return;
    } catch (error) {
      if (!isBusy(error) || performance.now() > deadline) throw error;
    }
    Atomics.wait(sleeping, 0, 0, 5);
  }
}

/**
 * Brings the database to this version's schema in one transaction, for which other processes wait. Refuses an older schema
 * if told so.
 */
export function migrate(db: DatabaseSync, whenOlder: WhenOlder = 'migrate'): void {
  const version = ourVersion(db);
  if (isOlder(version) && whenOlder === 'refuse') throw olderSchema();
  writeAhead(db);
  if (version === migrations.length) return;
  db.exec('BEGIN IMMEDIATE');
  try {
    for (const file of migrations.slice(ourVersion(db))) db.exec(readFileSync(new URL(file, FOLDER), 'utf8'));
    db.exec(`PRAGMA user_version = ${migrations.length}; COMMIT`);
  } catch (error) {
    if (db.isTransaction) db.exec('ROLLBACK');
    throw error;
  }
}
