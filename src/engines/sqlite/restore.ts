import { existsSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { COMMAND_LINE } from '../../core/domain/event.ts';
import { makeFolder } from '../../core/make-folder.ts';
import { giveSecondName, syncToDisk } from '../../core/storage/on-disk.ts';
import { StoreUnavailable } from '../../core/storage/store.ts';
import type { LastIds } from '../../core/storage/transfer-sides.ts';
import {
  assertWhole,
  copyPages,
  draftOf,
  isBackupThere,
  lastChanceToStop,
  type OnShare,
  onFile,
  remove,
} from './backup.ts';
import { databaseIn, explained, heldAlone, inFolder, lookInto, readOnly } from './data-folder.ts';
import { isDamaged } from './errors.ts';
import { eventsOn } from './events.ts';
import { assertOurs, migrate } from './migrate.ts';
import { ticketsOn } from './tickets.ts';
import { lastIdsOf, raiseLastIds } from './transfer/rows.ts';
import { SqliteStatements } from './units.ts';

/** Where a replaced database is kept. */
const keptBeside = (database: string): string => `${database}.replaced`;

/** The files that are kept of a replaced database: its file, its log, or neither. */
const keptOf = (database: string): string[] =>
  ['', '-wal'].map((end) => keptBeside(database) + end).filter((file) => existsSync(file));

function areOneFile(a: string, b: string): boolean {
  const [one, other] = [a, b].map((name) => statSync(name, { bigint: true, throwIfNoEntry: false }));
  return one !== undefined && one.ino === other?.ino && one.dev === other.dev;
}

/** Removes the second name of the database that a killed restoring left behind. */
function removeSecondName(database: string): void {
  if (areOneFile(keptBeside(database), database)) rmSync(keptBeside(database));
}

/** Throws {@link StoreUnavailable} where a replaced database is kept already: it may be the only copy. */
function assertNothingKept(database: string): void {
  for (const file of keptOf(database))
    if (!areOneFile(file, database))
      throw new StoreUnavailable(
        `${basename(file)} in it is from an earlier restoring: move it away or remove it first`,
      );
}

/** How a backup is restored. */
interface Restoring {
  /** Whether an existing database may be replaced. */
  readonly replace: boolean;
  /** Whether the backup's tickets stay alive, even the ones that were ended since it was made. */
  readonly keepTickets: boolean;
  /** The system user who restores. */
  readonly actor: string;
  /** Epoch milliseconds. */
  readonly now: number;
}

/** What the replaced database gave out, and must not be given out again. */
interface GivenOut {
  readonly generation: number;
  readonly ids: LastIds;
}

/** What the database gave out that will be replaced; undefined when there is none, or it cannot be read. */
function givenOut(database: string): GivenOut | undefined {
  try {
    return lookInto(database, (db) => ({
      generation: db.prepare('SELECT generation FROM server').get()?.generation as number,
      ids: lastIdsOf(db),
    }));
  } catch {
    return undefined;
  }
}

/** Ends all tickets, those of the replaced database too: they may be kept in Redis. */
async function endTickets(db: DatabaseSync, { now, actor }: Restoring, generation = 0): Promise<void> {
  db.prepare('UPDATE server SET generation = max(generation, ?)').run(generation);
  await ticketsOn(db).raiseServerGeneration();
  const event = { at: now, kind: 'tickets-revoked', actor, from: COMMAND_LINE, reason: 'restored' } as const;
  await eventsOn(new SqliteStatements(db)).append(event);
}

/**
 * Gives the database a new id, so that tickets in Redis do not belong to it: they are newer than the backup. The id before stays behind
 * it, for those users that the backup has: others may get the ids of users who were added after it.
 */
function renewId(db: DatabaseSync): void {
  const renewal =
    "UPDATE server SET database_id = lower(hex(randomblob(16))) || '~' || ? || '~' || database_id";
  db.prepare(renewal).run(lastIdsOf(db).users);
}

/** Opens the backup in a file, and checks that it is whole. */
function openWhole(file: string): DatabaseSync {
  const backup = readOnly(file);
  try {
    assertOurs(backup);
    assertWhole(backup);
    return backup;
  } catch (error) {
    backup.close();
    if (!isDamaged(error)) throw error;
    throw new StoreUnavailable('it is no backup, or a damaged one: take another', { cause: error });
  }
}

/** Makes a whole and checked database of the backup in the file `draft`. */
async function draw(
  backup: DatabaseSync,
  database: string,
  draft: string,
  how: Restoring,
  onShare: OnShare,
): Promise<void> {
  await copyPages(backup, draft, onShare);
  using db = new DatabaseSync(draft);
  migrate(db);
  renewId(db);
  const last = givenOut(database);
  if (last !== undefined) raiseLastIds(db, last.ids);
  if (!how.keepTickets) await endTickets(db, how, last?.generation);
  assertWhole(db);
  db.exec('PRAGMA wal_checkpoint(TRUNCATE)');
  await lastChanceToStop(onShare);
}

function alone(database: string): DatabaseSync {
  const db = heldAlone(database);
  if (db === undefined) throw new StoreUnavailable('something has its database open: stop the service first');
  return db;
}

/** The result of the work; undefined when the database is too damaged, so that no service can use it either. */
function unlessDamaged<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch (error) {
    if (!isDamaged(error)) throw error;
    return undefined;
  }
}

/** Locks the database, and puts all of it into its one file, so that no log stays beside its successor. */
function heldWhole(database: string): DatabaseSync | undefined {
  return unlessDamaged(() => {
    const db = alone(database);
    try {
      db.exec('COMMIT; PRAGMA journal_mode = DELETE; BEGIN EXCLUSIVE');
      return db;
    } catch (error) {
      db.close();
      throw error;
    }
  });
}

/** Removes the drafts of killed restorings: they are whole copies, with all password hashes. */
function removeLeftOver(database: string, draft: string): void {
  const folder = dirname(database);
  for (const name of readdirSync(folder))
    if (name.startsWith(`${basename(database)}.restore-`) && !name.startsWith(basename(draft)))
      rmSync(join(folder, name), { force: true });
}

function putInPlace(draft: string, database: string): void {
  const file = keptBeside(database);
  const there = existsSync(database);
  const old = there ? heldWhole(database) : undefined;
  try {
    assertNothingKept(database);
    removeSecondName(database);
    removeLeftOver(database, draft);
    if (there) giveSecondName(database, file, 'keep the data folder on another');
    // SQLite would take the log of a damaged or missing database for the new one's.
    if (existsSync(`${database}-wal`)) renameSync(`${database}-wal`, `${file}-wal`);
    rmSync(`${database}-shm`, { force: true });
    // In one step, so that there is a whole database at every moment.
    renameSync(draft, database);
  } finally {
    old?.close();
  }
}

/**
 * Restores a backup into `folder`. A replaced database is kept as `tessera.db.replaced`, with its log if it has one: returns
 * these files. Throws {@link StoreUnavailable}, and leaves everything as it was, when the backup is not whole, the database
 * is in use, or an earlier replaced database is still there.
 */
export async function restoreSqlite(
  folder: string,
  file: string,
  how: Restoring,
  onShare: OnShare,
): Promise<string[]> {
  const database = databaseIn(folder);
  const draft = draftOf(database, 'restore');
  if (!(await onFile(file, () => isBackupThere(file))))
    throw new StoreUnavailable(`there is no file ${file}`);
  inFolder(folder, () => {
    makeFolder(folder);
    if (existsSync(database) && !how.replace)
      throw new StoreUnavailable('there is a database in it already: give --replace to have it replaced');
    assertNothingKept(database);
    if (existsSync(database)) unlessDamaged(() => alone(database).close());
  });
  using backup = await onFile(file, () => openWhole(file));
  try {
    await draw(backup, database, draft, how, onShare);
    syncToDisk(draft);
    putInPlace(draft, database);
    syncToDisk(folder);
    return keptOf(database);
  } catch (error) {
    throw explained(folder, error);
  } finally {
    remove(draft);
  }
}
