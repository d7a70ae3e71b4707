import { existsSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { COMMAND_LINE } from '../../domain/event.ts';
import { makeFolder } from '../../make-folder.ts';
import { giveSecondName, syncToDisk } from '../on-disk.ts';
import { StoreUnavailable } from '../store.ts';
import type { LastIds } from '../transfer.ts';
import {
  assertWhole,
  copyPages,
  draftOf,
  isBackupThere,
  lastWord,
  type OnShare,
  onFile,
  remove,
} from './backup.ts';
import { databaseIn, explained, heldAlone, inFolder, lookInto, readOnly } from './data-folder.ts';
import { isDamaged } from './errors.ts';
import { eventsOn } from './events.ts';
import { assertOurs, migrate } from './migrate.ts';
import { ticketsOn } from './tickets.ts';
import { goOnFrom, lastIdsOf } from './transfer/rows.ts';

/** Where a database is kept that a restoring replaces. */
const keptBeside = (database: string): string => `${database}.replaced`;

/** What is kept beside a database of what a restoring replaced: its file, its log, or neither. */
const keptOf = (database: string): string[] =>
  ['', '-wal'].map((end) => keptBeside(database) + end).filter((file) => existsSync(file));

function areOneFile(a: string, b: string): boolean {
  const [one, other] = [a, b].map((name) => statSync(name, { bigint: true, throwIfNoEntry: false }));
  return one !== undefined && one.ino === other?.ino && one.dev === other.dev;
}

/** Removes the second name that a restoring left which was killed before it replaced the database. */
function removeSecondName(database: string): void {
  if (areOneFile(keptBeside(database), database)) rmSync(keptBeside(database));
}

/** Throws {@link StoreUnavailable} where something is kept already: it may be all that is left of a database. */
function assertNothingKept(database: string): void {
  for (const kept of keptOf(database))
    if (!areOneFile(kept, database))
      throw new StoreUnavailable(
        `${basename(kept)} in it is from an earlier restoring: move it away or remove it first`,
      );
}

/** How a backup is put back. */
export interface Restoring {
  /** Whether a database that is there may be replaced. */
  readonly replace: boolean;
  /** Whether its tickets stay alive, those that were ended since it was made, too. */
  readonly keepTickets: boolean;
  /** Epoch milliseconds. */
  readonly now: number;
}

/** What was given out since the backup was made, and must not be given again. */
interface GivenOut {
  readonly generation: number;
  readonly ids: LastIds;
}

/** What the database has given out that is to be replaced; nothing when there is none, or it cannot be read. */
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

/** Ends all tickets, those of the database that is replaced, too: they may lie elsewhere than in a database. */
async function endTickets(db: DatabaseSync, now: number, generation = 0): Promise<void> {
  db.prepare('UPDATE server SET generation = max(generation, ?)').run(generation);
  await ticketsOn(db).raiseServerGeneration();
  const event = { at: now, kind: 'tickets-revoked', from: COMMAND_LINE, reason: 'restored' } as const;
  await eventsOn(db).append(event);
}

/** Has tickets that are kept elsewhere belong to another database: they are of what it was later. */
function becomeAnother(db: DatabaseSync): void {
  db.exec('UPDATE server SET database_id = lower(hex(randomblob(16)))');
}

/** The backup in a file, whole. */
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

/** Makes a whole and checked database of the backup, aside. */
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
  const last = givenOut(database);
  if (last !== undefined) goOnFrom(db, last.ids);
  becomeAnother(db);
  if (!how.keepTickets) await endTickets(db, how.now, last?.generation);
  assertWhole(db);
  db.exec('PRAGMA wal_checkpoint(TRUNCATE)');
  await lastWord(onShare);
}

function alone(database: string): DatabaseSync {
  const db = heldAlone(database);
  if (db === undefined) throw new StoreUnavailable('something has its database open: stop the service first');
  return db;
}

/** What the work gives; nothing when the database is too damaged for it, so that nobody serves from it either. */
function unlessDamaged<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch (error) {
    if (!isDamaged(error)) throw error;
    return undefined;
  }
}

/** The database that is there, held, and all of it in its one file, so that nothing stays beside what replaces it. */
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

/** Removes what restorings left that were killed: whole copies, with every hash of a password. */
function removeLeftOver(database: string, draft: string): void {
  const folder = dirname(database);
  for (const name of readdirSync(folder))
    if (name.startsWith(`${basename(database)}.restore-`) && !name.startsWith(basename(draft)))
      rmSync(join(folder, name), { force: true });
}

function putInPlace(draft: string, database: string): void {
  const kept = keptBeside(database);
  const there = existsSync(database);
  const old = there ? heldWhole(database) : undefined;
  try {
    assertNothingKept(database);
    removeSecondName(database);
    removeLeftOver(database, draft);
    if (there) giveSecondName(database, kept, 'keep the data folder on another');
    // The log of the old one, as it is left by a damaged or a missing database, would be taken for the new one's.
    if (existsSync(`${database}-wal`)) renameSync(`${database}-wal`, `${kept}-wal`);
    rmSync(`${database}-shm`, { force: true });
    // In one step: at no moment is there no database, or half of one.
    renameSync(draft, database);
  } finally {
    old?.close();
  }
}

/**
 * Puts a backup into `folder`. What is replaced stays beside it as `tessera.db.replaced`, with its log where it has
 * one: the files are given. Throws {@link StoreUnavailable}, with everything as it was, when the backup is not whole,
 * the database is in use, or what an earlier restoring replaced is kept still.
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
