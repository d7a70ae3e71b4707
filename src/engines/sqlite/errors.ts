import { StoreUnavailable } from '../../core/storage/store.ts';

const BUSY = 5;
const LOCKED = 6;
const DAMAGED = 11;
const FULL = 13;
const UNOPENED = 14;
const NO_DATABASE = 26;
/** The disk has no room for the index of the log. SQLite reports an input-output error. */
const NO_ROOM_FOR_INDEX = 10 | (19 << 8);

/** SQLite's primary result codes for which the store cannot answer, and what an operator can do about each. */
const UNAVAILABLE: Record<number, string> = {
  [BUSY]: 'the database is held by another writer',
  [LOCKED]: 'the database is locked',
  8: 'the database or its folder is read-only: make both writable for the service',
  10: 'the disk reports an error: check it, and the file system',
  [DAMAGED]: 'the database is damaged: restore a backup',
  [FULL]: 'the disk is full: free some space',
  [UNOPENED]: 'the database file cannot be opened: check that its folder exists and is writable',
  [NO_DATABASE]: 'the file is no database: point the data folder elsewhere, or restore a backup',
};

/** The primary result code of an error from `node:sqlite`; undefined for any other error. */
function resultCode(error: unknown): number | undefined {
  if (!(error instanceof Error) || !('errcode' in error)) return undefined;
  const code = Number(error.errcode);
  return code === NO_ROOM_FOR_INDEX ? FULL : code & 0xff;
}

/** Whether another connection has the lock, so that it makes sense to try again. */
export function isBusy(error: unknown): boolean {
  const code = resultCode(error);
  return code === BUSY || code === LOCKED;
}

/** Whether the file cannot be opened, which SQLite also says of one that is closed to this user. */
export const isUnopened = (error: unknown): boolean => resultCode(error) === UNOPENED;

/** Whether the file is damaged, or no database at all. */
export function isDamaged(error: unknown): boolean {
  const code = resultCode(error);
  return code === DAMAGED || code === NO_DATABASE;
}

/** The same error, as {@link StoreUnavailable} when it says that storage cannot answer. */
export function translated(error: unknown): unknown {
  const code = resultCode(error);
  const meaning = code === undefined ? undefined : UNAVAILABLE[code];
  // SQLite reports no code of its own for a search index that it cannot read.
  if (error instanceof Error && error.message.startsWith('vtable constructor failed'))
    return new StoreUnavailable(UNAVAILABLE[DAMAGED], { cause: error });
  if (meaning !== undefined) return new StoreUnavailable(meaning, { cause: error });
  if (error instanceof Error && /database is not open|statement has been finalized/.test(error.message)) {
    return new StoreUnavailable('the store is closed', { cause: error });
  }
  return error;
}
