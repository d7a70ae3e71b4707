import { randomBytes } from 'node:crypto';
import { rmSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { backup, DatabaseSync } from 'node:sqlite';
import { setImmediate as turn } from 'node:timers/promises';
import { giveSecondName, syncToDisk } from '../on-disk.ts';
import { StoreUnavailable } from '../store.ts';
import { assertFree, onFile } from './backup-file.ts';
import { databaseThere, inFolder, lookInto } from './data-folder.ts';
import { asItIs } from './hold.ts';
import { assertOurs } from './migrate.ts';

/** Pages that are written at a time. */
const RATE = 250;

/** Is told how much is done, between 0 and 1. What it throws gives the work up, with nothing left behind. */
export type OnShare = (share: number) => void;

/** Copies a database as it is at this moment into `draft`, a file of its own. */
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
  // What is damaged comes below a heading with the name that SQLite has for the database.
  const fault = String(found).split('\n').at(-1);
  throw new StoreUnavailable(`it is damaged: restore a backup that is whole (${fault})`);
}

/** The last word before a file appears in its place: while SQLite checked it, nobody could be heard. */
export async function lastWord(onShare: OnShare): Promise<void> {
  // The first turn may end the one that was begun before: signals are read in the one behind it.
  await turn();
  await turn();
  onShare(1);
}

/** A file beside another, for what is not whole yet. Random, since two containers may have the same process ids. */
export function draftOf(file: string, work: 'part' | 'restore'): string {
  return `${file}.${work}-${randomBytes(8).toString('hex')}`;
}

/** Removes a draft, with whatever is beside it. */
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
  await lastWord(onShare);
  giveSecondName(draft, file, 'write the backup to another, and copy it there');
  syncToDisk(dirname(resolve(file)));
}

/** The database in `folder`, as it is at this moment. */
function openAsItIs(folder: string): DatabaseSync {
  return inFolder(folder, () => {
    const database = databaseThere(folder);
    lookInto(database, assertOurs);
    return asItIs(database);
  });
}

/**
 * Writes the embedded store in `folder`, as it is at this moment, into `file`: whole and checked, or not at all.
 * Whoever serves from the folder goes on meanwhile.
 */
export async function backUpSqlite(folder: string, file: string, onShare: OnShare): Promise<void> {
  using db = openAsItIs(folder);
  const draft = draftOf(file, 'part');
  await onFile(file, () => assertFree(file, draft));
  try {
    await onFile(file, () => copyInto(db, draft, onShare));
    // Pages are copied as they are: what is damaged in the copy is so in the folder.
    inFolder(folder, () => lookInto(draft, assertWhole));
    await onFile(file, () => putInPlace(draft, file, onShare));
  } finally {
    remove(draft);
  }
}
