import { readdirSync, readFileSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';
import { StoreUnavailable } from '../store.ts';

const FOLDER = new URL('./migrations/', import.meta.url);
const APPLICATION = 1_416_852_338;

const pragma = (db: DatabaseSync, name: string) => db.prepare(`PRAGMA ${name}`).get()?.[name] as number;

const migrations = readdirSync(FOLDER)
  .filter((file) => file.endsWith('.sql'))
  .sort();

/**
 * The schema version of the database, 0 for an empty one. Throws {@link StoreUnavailable} when the file is another
 * program's or of a newer schema; reads only, so that such a file stays as it is.
 */
function ourVersion(db: DatabaseSync): number {
  const version = pragma(db, 'user_version');
  const tables = db.prepare('SELECT count(*) AS tables FROM sqlite_schema').get()?.tables;
  if (pragma(db, 'application_id') !== APPLICATION && (tables !== 0 || version !== 0)) {
    throw new StoreUnavailable('the database belongs to another program: point the data folder elsewhere');
  }
  if (version > migrations.length) {
    throw new StoreUnavailable(
      `the database has schema ${version} and this version knows ${migrations.length}: run the newer version that wrote it`,
    );
  }
  return version;
}

/** Brings the database to this version's schema, in one transaction that other processes wait for. */
export function migrate(db: DatabaseSync): void {
  if (ourVersion(db) === migrations.length) return;
  db.exec('PRAGMA journal_mode = WAL; BEGIN IMMEDIATE');
  try {
    for (const file of migrations.slice(ourVersion(db))) db.exec(readFileSync(new URL(file, FOLDER), 'utf8'));
    db.exec(`PRAGMA user_version = ${migrations.length}; COMMIT`);
  } catch (error) {
    if (db.isTransaction) db.exec('ROLLBACK');
    throw error;
  }
}
