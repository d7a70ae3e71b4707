import { existsSync, mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

const isFolder = (path: string) => statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;

/**
 * Makes a folder that only this user may use, and any missing folders above it in the same way. Leaves an existing
 * folder as it is. Throws the system error.
 */
export function makeFolder(folder: string): void {
  // Not Node's `recursive`: if the parent folder exists but accepts no entries, such as a removed one, it retries for
  // ever.
  if (isFolder(folder)) return;
  const above = dirname(folder);
  if (!existsSync(above)) makeFolder(above);
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    // Another process may have made it first.
    if (!isFolder(folder)) throw error;
  }
}
