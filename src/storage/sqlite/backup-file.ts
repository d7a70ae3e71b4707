import { existsSync, lstatSync, statSync } from 'node:fs';
import { StoreUnavailable } from '../store.ts';
import { isThere } from './data-folder.ts';
import { translated } from './errors.ts';

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

/** Does `work` on the file of a backup; its faults name it, each in one sentence an operator can act on. */
export async function onFile<T>(file: string, work: () => T | Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const { code = '', message } = translated(error) as NodeJS.ErrnoException;
    const why = FILE_FAULTS[code] ?? message;
    throw new StoreUnavailable(`cannot use the file ${file}: ${why}`, { cause: error });
  }
}

/** Throws where a file is there that a backup would be written to, or none can be, with the draft beside it. */
export function assertFree(file: string, draft: string): void {
  // The longest name that is made beside it: one that is too long could not even be removed.
  lstatSync(`${draft}-journal`, { throwIfNoEntry: false });
  if (lstatSync(file, { throwIfNoEntry: false }) === undefined) return;
  // A link is there even where it leads to nothing.
  const as = existsSync(file) ? '' : ', as a link that leads nowhere';
  throw new StoreUnavailable(`it is there already${as}: name another one`);
}

/** Whether there is such a backup. Throws where it cannot be read, or is a folder. */
export function isBackupThere(file: string): boolean {
  if (!isThere(file)) return false;
  if (statSync(file).isDirectory()) throw new StoreUnavailable('it is a folder: name the backup in it');
  return true;
}
