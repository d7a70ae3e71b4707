import { existsSync, mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

const isFolder = (path: string) => statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;

/**
 * Makes a folder that this user alone may use, and so those above it that are missing; one that is there stays as it
 * is. Throws the system's error.
 */
export function makeFolder(folder: string): void {
  // Not Node's `recursive`: in a folder that is there and takes none, such as a removed one, that tries for ever.
  if (isFolder(folder)) return;
  const above = dirname(folder);
  if (!existsSync(above)) makeFolder(above);
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    // Another process may have been faster.
    if (!isFolder(folder)) throw error;
  }
}
