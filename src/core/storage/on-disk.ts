import { closeSync, fsyncSync, linkSync, openSync } from 'node:fs';
import { StoreUnavailable } from './store.ts';

/** The errors of systems where a file system has no hard links, such as FAT and many shares. */
const NO_HARD_LINKS = ['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS'];

/**
 * Gives a file a second name in one step. Throws `EEXIST` where the name is taken, and {@link StoreUnavailable} with the
 * given mend where the file system has no hard links.
 */
export function giveSecondName(file: string, name: string, mend: string): void {
  try {
    linkSync(file, name);
  } catch (error) {
    if (!NO_HARD_LINKS.includes((error as NodeJS.ErrnoException).code ?? '')) throw error;
    throw new StoreUnavailable(`this file system has no hard links: ${mend}`, { cause: error });
  }
}

/** Writes a file, or the list of a folder, to the disk. */
export function syncToDisk(place: string): void {
  const handle = openSync(place, 'r');
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}
