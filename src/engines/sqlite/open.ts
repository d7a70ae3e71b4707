import { accessSync, constants, existsSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { makeFolder } from '../../core/make-folder.ts';
import type { MigrationStatus } from '../../core/storage/opened-store.ts';
import { type Store, StoreUnavailable } from '../../core/storage/store.ts';
import type { WhenOlder } from '../sql/migration.ts';
import type { UnitTable } from '../sql/statement.ts';
import { databaseIn, databaseThere, explained, inFolder, isThere, lookInto } from './data-folder.ts';
import { migrate, ourVersion, statusAt } from './migrate.ts';
import { refuseHalfCopy } from './transfer/draft.ts';
import { type Connections, storeOn } from './units.ts';

/** How many KiB of pages each connection caches. */
const PAGE_CACHE = 32_768;
/** After how many pages in the write-ahead log a commit moves them to the database: a page that changed often is moved once. */
const PAGES_IN_LOG = 4_000;

/**
 * Refuses a file that is not ours. It uses a connection that cannot change the file: a writing one would remove the log that
 * another program's crash left behind.
 */
function inspect(file: string): void {
  try {
    lookInto(file, ourVersion);
  } catch (error) {
    // Only a writing connection can repair some faults, such as a journal to roll back.
    if (error instanceof StoreUnavailable) throw error;
  }
}

function connect(file: string, whenOlder: WhenOlder): Connections {
  // The time-out is for opening and migrating only: the service does not answer yet.
  const writing = new DatabaseSync(file, { timeout: 10_000 });
  let reading: DatabaseSync | undefined;
  try {
    migrate(writing, whenOlder);
    writing.exec('PRAGMA synchronous = FULL; PRAGMA busy_timeout = 0');
    // What a savepoint may have to put back stays in memory: each unit of a larger commit would write it to a file.
    writing.exec(`PRAGMA temp_store = MEMORY; PRAGMA cache_size = -${PAGE_CACHE}`);
    writing.exec(`PRAGMA wal_autocheckpoint = ${PAGES_IN_LOG}`);
    reading = new DatabaseSync(file, { readOnly: true, timeout: 1_000 });
    reading.exec(`PRAGMA cache_size = -${PAGE_CACHE}`);
    // A damaged index is refused here, rather than at the first search.
    reading.prepare('SELECT 1 FROM user_search');
    return { file, writing, reading };
  } catch (error) {
    reading?.close();
    writing.close();
    throw error;
  }
}

/**
 * Every migration that this version knows, and whether the database in `folder` had it. Changes nothing; throws
 * {@link StoreUnavailable} when the database is another program's or newer.
 */
export function sqliteMigrations(folder: string): MigrationStatus[] {
  const file = databaseIn(folder);
  return statusAt(inFolder(folder, () => (isThere(file) ? lookInto(file, ourVersion) : 0)));
}

/** What to do where the database is missing or its schema is older. */
interface Lacking {
  /** `make` makes a missing database, with its folder (mode 0700). */
  readonly missing?: 'make' | 'refuse';
  readonly older?: WhenOlder;
}

interface Openings extends Lacking {
  /** How many tickets, and values of each other kind, are kept of what was read. */
  readonly cache?: number | undefined;
}

/**
 * Opens the embedded store in `folder`, with the tables of these capabilities. Unless told otherwise it makes a missing database and migrates an older schema.
 * Throws {@link StoreUnavailable} with a sentence for the operator when the database cannot be used, and leaves the file as
 * it was.
 */
export function openSqlite(
  folder: string,
  tables: readonly UnitTable[],
  { missing = 'make', older = 'migrate', cache }: Openings = {},
): Store {
  const connections = inFolder(folder, () => {
    if (missing === 'make') makeFolder(folder);
    if (existsSync(folder)) refuseHalfCopy(folder);
    if (missing === 'refuse') databaseThere(folder);
    const file = databaseIn(folder);
    accessSync(existsSync(file) ? file : folder, constants.W_OK);
    if (existsSync(`${file}-wal`)) inspect(file);
    return connect(file, older);
  });
  try {
    return storeOn(connections, tables, cache);
  } catch (error) {
    connections.reading.close();
    connections.writing.close();
    throw explained(folder, error);
  }
}
