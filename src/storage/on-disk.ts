import { closeSync, fsyncSync, linkSync, openSync } from 'node:fs';
import { StoreUnavailable } from './store.ts';

/** What systems say where a file system knows no second name of a file, such as FAT and many shares. */
const NO_HARD_LINKS = ['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS'];

/**
 * Gives a file a second name in one step, never over a file that is there: that throws `EEXIST`. Throws
 * {@link StoreUnavailable}, with the mend that is given, where the file system has no hard links.
 */
export function giveSecondName(file: string, name: string, mend: string): void {
  try {
    linkSync(file, name);
  } catch (error) {
    if (!NO_HARD_LINKS.includes((error as NodeJS.ErrnoException).code ?? '')) throw error;
    throw new StoreUnavailable(`this file system has no hard links: ${mend}`, { cause: error });
  }
}

/** Has the disk keep a file, or what a folder lists. */
export function syncToDisk(place: string): void {
  const handle = openSync(place, 'r');
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}
