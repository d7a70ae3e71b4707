import { randomBytes } from 'node:crypto';
import { existsSync, lstatSync, rmSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { backup, DatabaseSync } from 'node:sqlite';
import { setImmediate as turn } from 'node:timers/promises';
import { giveSecondName, syncToDisk } from '../../core/storage/on-disk.ts';
import { StoreUnavailable } from '../../core/storage/store.ts';
import { asItIs, databaseThere, inFolder, isThere, lookInto } from './data-folder.ts';
import { translated } from './errors.ts';
import { assertOurs } from './migrate.ts';

const NOT_OURS =
  'it, or a folder above it, is closed to the user that this runs as: open it to that user, or run this as another';

/** What the system's errors about a backup's file mean for the operator. */
const FILE_FAULTS: Record<string, string> = {
  EACCES: NOT_OURS,
  EPERM: NOT_OURS,
  EEXIST: 'it is there already: name another one',
  ENOTDIR: 'a folder above it is a file: name another one',
  ELOOP: 'it, or a folder above it, is a link that leads back to itself: name another one',
  ENAMETOOLONG: 'its path is too long: name a shorter one',
};

/** Does `work` on the file of a backup. Its faults name the file, each in one sentence that an operator can act on. */
export async function onFile<T>(file: string, work: () => T | Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const { code = '', message } = translated(error) as NodeJS.ErrnoException;
    const why = FILE_FAULTS[code] ?? message;
    throw new StoreUnavailable(`cannot use the file ${file}: ${why}`, { cause: error });
  }
}

/** Throws where the file exists already, or neither it nor its draft can be made. */
function assertFree(file: string, draft: string): void {
  // The longest name that a draft has: a name that is too long could not even be removed.
  lstatSync(`${draft}-journal`, { throwIfNoEntry: false });
  if (lstatSync(file, { throwIfNoEntry: false }) === undefined) return;
  // A dangling link exists, though what it leads to does not.
  const as = existsSync(file) ? '' : ', as a link that leads nowhere';
  throw new StoreUnavailable(`it is there already${as}: name another one`);
}

/** Whether the backup exists. Throws where it cannot be read, or is a folder. */
export function isBackupThere(file: string): boolean {
  if (!isThere(file)) return false;
  if (statSync(file).isDirectory()) throw new StoreUnavailable('it is a folder: name the backup in it');
  return true;
}

/** How many pages are copied at a time. */
const RATE = 250;

/** Is called with the share that is done, between 0 and 1. To throw stops the work, and leaves nothing behind. */
export type OnShare = (share: number) => void;

/** Copies a database as it is now into the file `draft`. */
export async function copyPages(db: DatabaseSync, draft: string, onShare: OnShare): Promise<void> {
  await backup(db, draft, {
    rate: RATE,
    progress: ({ totalPages, remainingPages }) => onShare(1 - remainingPages / totalPages),
  });
}

/** Throws {@link StoreUnavailable} when anything in the database is damaged. */
export function assertWhole(db: DatabaseSync): void {
  const { integrity_check: found } = db.prepare('PRAGMA integrity_check(1)').get() ?? {};
  if (found === 'ok') return;
  // SQLite puts a heading with its name for the database above the fault.
  const fault = String(found).split('\n').at(-1);
  throw new StoreUnavailable(`it is damaged: restore a backup that is whole (${fault})`);
}

/** Lets `onShare` stop the work before a file appears in its place: signals were not read while SQLite checked the file. */
export async function lastChanceToStop(onShare: OnShare): Promise<void> {
  // The first turn may only end the current one: signals are read in the next.
  await turn();
  await turn();
  onShare(1);
}

/** A draft's name, beside the file that it becomes. It is random, since two containers may have the same process ids. */
export function draftOf(file: string, work: 'part' | 'restore'): string {
  return `${file}.${work}-${randomBytes(8).toString('hex')}`;
}

/** Removes a draft with its journal and log. */
export function remove(draft: string): void {
  for (const end of ['', '-journal', '-wal', '-shm']) rmSync(draft + end, { force: true });
}

async function copyInto(db: DatabaseSync, draft: string, onShare: OnShare): Promise<void> {
  await copyPages(db, draft, onShare);
  using copy = new DatabaseSync(draft);
  copy.exec('PRAGMA journal_mode = DELETE');
}

async function putInPlace(draft: string, file: string, onShare: OnShare): Promise<void> {
  syncToDisk(draft);
  await lastChanceToStop(onShare);
  giveSecondName(draft, file, 'write the backup to another, and copy it there');
  syncToDisk(dirname(resolve(file)));
}

/** Opens the database in `folder` as it is now. */
function openAsItIs(folder: string): DatabaseSync {
  return inFolder(folder, () => {
    const database = databaseThere(folder);
    lookInto(database, assertOurs);
    return asItIs(database);
  });
}

/**
 * Writes the embedded store in `folder`, as it is now, into `file`: whole and checked, or not at all. A service that uses
 * the folder goes on meanwhile.
 */
export async function backUpSqlite(folder: string, file: string, onShare: OnShare): Promise<void> {
  using db = openAsItIs(folder);
  const draft = draftOf(file, 'part');
  await onFile(file, () => assertFree(file, draft));
  try {
    await onFile(file, () => copyInto(db, draft, onShare));
    // Pages are copied as they are: damage in the copy is damage in the folder.
    inFolder(folder, () => lookInto(draft, assertWhole));
    await onFile(file, () => putInPlace(draft, file, onShare));
  } finally {
    remove(draft);
  }
}
