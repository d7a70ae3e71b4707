import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { TestContext } from 'node:test';
import { type Store, StoreUnavailable } from '../../../src/core/storage/store.ts';
import { databaseIn } from '../../../src/engines/sqlite/data-folder.ts';
import { afterwards } from '../../service/afterwards.ts';
import { openSqlite } from '../../service/stores.ts';

export { databaseIn };

/** A store on `folder`, closed after the test. */
export function openUntilEnd(t: TestContext, folder: string): Store {
  const store = openSqlite(folder);
  afterwards(t, () => store.close());
  return store;
}

/** The message with which opening `folder` fails. Throws when it opens, or fails in another way. */
export function whyNotOpened(folder: string): string {
  try {
    openSqlite(folder);
  } catch (error) {
    if (error instanceof StoreUnavailable) return error.message;
    throw error;
  }
  throw new Error(`${folder} was opened`);
}

const PAGE = 4_096;

/**
 * Overwrites the first page of tables and indexes of the closed database in `folder`: of the search index, or of all others.
 * Its schema can still be read.
 */
export function damageRows(folder: string, which: 'search' | 'others' = 'others'): void {
  const db = new DatabaseSync(databaseIn(folder));
  const roots = db
    .prepare(
      "SELECT rootpage AS page FROM sqlite_schema WHERE rootpage > 0 AND (tbl_name LIKE 'user_search%') = ?",
    )
    .all(Number(which === 'search'));
  db.close();
  const bytes = readFileSync(databaseIn(folder));
  for (const { page } of roots) bytes.fill(0x41, (Number(page) - 1) * PAGE, Number(page) * PAGE);
  writeFileSync(databaseIn(folder), bytes);
}

const digestOf = (file: string) => createHash('sha256').update(readFileSync(file)).digest('hex');

/** The digest of every file in `folder`, save the index that readers of a log share. */
export function digestsIn(folder: string): Record<string, string> {
  const files = readdirSync(folder)
    .filter((file) => !file.endsWith('-shm'))
    .sort();
  return Object.fromEntries(files.map((file) => [file, digestOf(join(folder, file))]));
}

/** How many commits the write-ahead log in `folder` holds (SQLite's file format, section 4). */
export function commitsIn(folder: string): number {
  const log = readFileSync(`${databaseIn(folder)}-wal`);
  if (log.length === 0) return 0;
  const salts = log.subarray(16, 24);
  const frame = 24 + log.readUInt32BE(8);
  let commits = 0;
  for (let at = 32; at + frame <= log.length; at += frame) {
    if (!log.subarray(at + 8, at + 16).equals(salts)) break;
    if (log.readUInt32BE(at + 4) !== 0) commits += 1;
  }
  return commits;
}
