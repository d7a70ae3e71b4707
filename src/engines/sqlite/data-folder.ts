import { accessSync, constants, existsSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';
import { StoreUnavailable } from '../../core/storage/store.ts';
import { isBusy, isUnopened, translated } from './errors.ts';

/** The database in a data folder. */
export const databaseIn = (folder: string): string => join(folder, 'tessera.db');

/** The longest path of a file that SQLite opens, in bytes. */
const LONGEST = 504;

const NOT_OPEN =
  'it is not writable: make it so for the service, and run commands as the user that the service runs as';

/** What the system's errors about the folder or the file mean for the operator. */
const FILE_FAULTS: Record<string, string> = {
  EEXIST: 'it is a file, not a folder: point the data folder elsewhere',
  ENOTDIR: 'it, or a folder above it, is a file, not a folder: point the data folder elsewhere',
  DANGLING: 'it, or a folder above it, is a link to what is not there: make that, or mount its disk',
  ELOOP: 'it, or a folder above it, is a link that leads back to itself: point the data folder elsewhere',
  ENAMETOOLONG: 'its path is too long: point the data folder to a shorter one',
  ENOENT: 'it cannot be made: check that the folder above it exists and is writable',
  EACCES: NOT_OPEN,
  EPERM: NOT_OPEN,
  EROFS: 'it is on a read-only disk: make that writable',
  ENOSPC: 'the disk is full: free some space',
};

/** The mend for a folder, or a database in it, of another user than that of this process; undefined for its own. */
export function mendOfOwner(folder: string): string | undefined {
  const own = process.getuid?.();
  const owner = [folder, databaseIn(folder)]
    .flatMap((place) => (existsSync(place) ? statSync(place).uid : []))
    .find((each) => each !== own);
  if (own === undefined || owner === undefined) return undefined;
  return `it belongs to the user with the id ${owner}, and this runs as ${own}: run the service and its commands as one user, or give it to that user (chown -R)`;
}

/** The code of the fault behind a system's error; empty where SQLite alone knows the fault. */
function faultOf(folder: string, code: string): string {
  if (Buffer.byteLength(resolve(databaseIn(folder))) > LONGEST) return 'ENAMETOOLONG';
  // A dangling link exists, though what it leads to does not.
  return code === 'EEXIST' && !existsSync(folder) ? 'DANGLING' : code;
}

/** What went wrong with a data folder, in one sentence an operator can act on. */
export function explained(folder: string, error: unknown): StoreUnavailable {
  const cause = translated(error);
  const { code = '', message } = cause as NodeJS.ErrnoException;
  const isClosed = code === 'EACCES' || isUnopened(error);
  const why = (isClosed && mendOfOwner(folder)) || (FILE_FAULTS[faultOf(folder, code)] ?? message);
  return new StoreUnavailable(`cannot use the data folder ${folder}: ${why}`, { cause: error });
}

/** Does `work` in a data folder, and throws its faults as {@link explained} has them. */
export function inFolder<T>(folder: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw explained(folder, error);
  }
}

/** Whether the file exists. Throws where it cannot be read, or cannot be looked for, such as in a folder of another user. */
export function isThere(file: string): boolean {
  try {
    accessSync(file, constants.R_OK);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false;
    throw error;
  }
}

/** The path of the database in a data folder. Throws {@link StoreUnavailable} where there is none. */
export function databaseThere(folder: string): string {
  const file = databaseIn(folder);
  if (!isThere(file)) throw new StoreUnavailable('there is no database in it: is it the one of the service?');
  return file;
}

/** Opens a connection that changes nothing, and makes no file beside a database that no process has open. */
export function readOnly(file: string): DatabaseSync {
  // Without a log no process has the database open; `immutable` keeps SQLite from making a log.
  const immutable = existsSync(`${file}-wal`) ? '' : '?immutable=1';
  const url = new URL(`${pathToFileURL(file)}${immutable}`);
  return new DatabaseSync(url, { readOnly: true, timeout: 10_000 });
}

/** Does `work` over a connection that changes nothing. */
export function lookInto<T>(file: string, work: (db: DatabaseSync) => T): T {
  using db = readOnly(file);
  return work(db);
}

/** Opens a connection that locks all others out; undefined when another one is open. */
export function heldAlone(file: string): DatabaseSync | undefined {
  const db = new DatabaseSync(file, { timeout: 0 });
  try {
    db.exec('PRAGMA locking_mode = EXCLUSIVE; BEGIN IMMEDIATE');
    return db;
  } catch (error) {
    db.close();
    if (isBusy(error)) return undefined;
    throw error;
  }
}

/** Opens a connection that reads the database as it is now, whatever others write from here on. */
export function asItIs(file: string): DatabaseSync {
  const db = new DatabaseSync(file, { readOnly: true, timeout: 10_000 });
  try {
    // The snapshot is taken at the first read.
    db.exec('BEGIN; SELECT count(*) FROM sqlite_schema');
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
}

/** Warns that other users of the machine may read or change the folder, and says the mend; undefined where they may not. */
export function warningOfOthers(folder: string): string | undefined {
  const mode = statSync(folder).mode & 0o777;
  if ((mode & 0o077) === 0) return undefined;
  const path = resolve(folder);
  return `other users of this machine may use the data folder ${path} (mode ${mode.toString(8)}), which holds password hashes and keys: close it with chmod 700 '${path}'`;
}
