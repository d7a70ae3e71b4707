import { statSync } from 'node:fs';
import { databaseIn, databaseThere, inFolder, lookInto } from './data-folder.ts';
import { assertOurs } from './migrate.ts';

/** The files of an embedded database, and its damage. */
export interface SqliteFiles {
  /** Bytes of the database, and of its write-ahead log. */
  readonly bytes: number;
  readonly logBytes: number;
  /** What SQLite's quick check found first; undefined for a whole database. */
  readonly damage: string | undefined;
}

const sizeOf = (file: string) => statSync(file, { throwIfNoEntry: false })?.size ?? 0;

/**
 * Reads the whole database in `folder` and checks its structure, while a service uses it or not. Changes nothing. Throws
 * `StoreUnavailable` if there is no database of this service.
 */
export function examineSqlite(folder: string): SqliteFiles {
  return inFolder(folder, () => {
    const file = databaseIn(folder);
    databaseThere(folder);
    const found = lookInto(file, (db) => {
      assertOurs(db);
      return String(db.prepare('PRAGMA quick_check(1)').get()?.quick_check);
    });
    // SQLite puts a heading with its name for the database above the fault.
    const damage = found === 'ok' ? undefined : found.split('\n').at(-1);
    return { bytes: sizeOf(file), logBytes: sizeOf(`${file}-wal`), damage };
  });
}
