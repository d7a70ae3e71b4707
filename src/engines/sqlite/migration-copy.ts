import { renameSync, statfsSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { syncToDisk } from '../../core/storage/on-disk.ts';
import { StoreUnavailable } from '../../core/storage/store.ts';
import { backUpSqlite, draftOf, type OnShare, remove } from './backup.ts';
import { databaseIn, inFolder, isThere, lookInto } from './data-folder.ts';
import { isOlder, migrate, ourVersion } from './migrate.ts';

/** The schema version of the database in `folder` if it is older than this version's; undefined if there is nothing to migrate. */
function olderVersionIn(folder: string): number | undefined {
  const file = databaseIn(folder);
  const version = inFolder(folder, () => (isThere(file) ? lookInto(file, ourVersion) : 0));
  return isOlder(version) ? version : undefined;
}

/** Where the database of an older schema is kept. */
const keptAs = (folder: string, version: number) => `${databaseIn(folder)}.schema-${version}`;

/**
 * Keeps the database in `folder` as a checked copy beside it, if this version is about to change its schema: the version before reads
 * it again after `tessera restore`. Returns the copy's path, or undefined if there is nothing to migrate. A copy of the same schema from an
 * earlier try is replaced. Throws `StoreUnavailable` where it cannot be written, so that nothing is migrated without it.
 */
export async function keepBeforeMigration(folder: string): Promise<string | undefined> {
  const version = olderVersionIn(folder);
  if (version === undefined) return undefined;
  const kept = keptAs(folder, version);
  const next = draftOf(kept, 'part');
  await backUpSqlite(folder, next, () => undefined);
  renameSync(next, kept);
  syncToDisk(dirname(kept));
  return kept;
}

/** What a migration of the database in a data folder takes. */
export interface Rehearsal {
  readonly milliseconds: number;
  /** The size of the database. */
  readonly bytes: number;
  /** Where a start keeps the database as it is before. */
  readonly keptAs: string;
}

/** How many times its size a copy takes that is migrated: itself, and the log of its migration. */
const ROOM = 2;

/** Throws {@link StoreUnavailable} if a trial could fill the disk on which the service keeps its data. */
function assertRoom(folder: string, bytes: number): void {
  const { bavail, bsize } = statfsSync(folder);
  if (bavail * bsize > ROOM * bytes) return;
  throw new StoreUnavailable(
    `a trial takes twice the size of the database, which the disk of ${folder} does not have: free some space, or try it on a restored backup`,
  );
}

/**
 * Migrates a copy of the database in `folder`, and removes it. The database itself stays as it is, and a service that uses it goes on.
 * Undefined if there is nothing to migrate.
 */
export async function rehearseMigration(folder: string, onShare: OnShare): Promise<Rehearsal | undefined> {
  const version = olderVersionIn(folder);
  if (version === undefined) return undefined;
  const file = databaseIn(folder);
  const draft = draftOf(file, 'part');
  const bytes = statSync(file).size;
  assertRoom(folder, bytes);
  try {
    await backUpSqlite(folder, draft, onShare);
    const begun = performance.now();
    using copy = new DatabaseSync(draft);
    migrate(copy);
    const milliseconds = performance.now() - begun;
    return { milliseconds, bytes, keptAs: keptAs(folder, version) };
  } finally {
    remove(draft);
  }
}
