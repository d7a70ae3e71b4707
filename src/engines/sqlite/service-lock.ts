import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { makeFolder } from '../../core/make-folder.ts';
import { StoreUnavailable } from '../../core/storage/store.ts';
import { inFolder } from './data-folder.ts';
import { isBusy } from './errors.ts';

/**
 * The file whose lock says that a service runs. It stays empty, and nothing else is locked: commands go on using the
 * database. The system takes the lock away with the process, however that ends.
 */
const lockIn = (folder: string): string => join(folder, 'tessera.lock');

/** Milliseconds that a start waits for the lock, which {@link isServed} holds for a moment. */
const MOMENT = 1_000;

/**
 * Keeps every other service out of a data folder until it is disposed of, or the process ends. Makes a missing folder. Throws
 * {@link StoreUnavailable} if another service has it.
 */
export function holdFolder(folder: string): Disposable {
  return inFolder(folder, () => {
    makeFolder(folder);
    const lock = new DatabaseSync(lockIn(folder), { timeout: MOMENT });
    try {
      lock.exec('BEGIN EXCLUSIVE');
      return lock;
    } catch (error) {
      lock.close();
      if (!isBusy(error)) throw error;
      throw new StoreUnavailable(
        'another Tessera service uses it: stop that one, or give this one a folder of its own (TESSERA_DATA)',
        { cause: error },
      );
    }
  });
}

/** Whether a service holds the data folder. Changes nothing. */
export function isServed(folder: string): boolean {
  const file = lockIn(folder);
  if (!existsSync(file)) return false;
  using lock = new DatabaseSync(file, { readOnly: true, timeout: 0 });
  try {
    lock.exec('SELECT count(*) FROM sqlite_schema');
    return false;
  } catch (error) {
    if (isBusy(error)) return true;
    throw error;
  }
}
