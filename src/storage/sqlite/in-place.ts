import { statSync } from 'node:fs';
import { StoreUnavailable } from '../store.ts';

function inodeOf(file: string): bigint | undefined {
  try {
    return statSync(file, { bigint: true }).ino;
  } catch {
    return undefined;
  }
}

/**
 * Gives a look at whether `file`, a database that is open, is still where it was. It throws {@link StoreUnavailable} once
 * that was removed or another is in its place: what is committed then is gone with the process. SQLite looks so itself
 * before it writes a journal, and not before it writes a write-ahead log.
 */
export function inPlace(file: string): () => void {
  const opened = inodeOf(file);
  return () => {
    if (opened === undefined || inodeOf(file) !== opened)
      throw new StoreUnavailable(
        `${file} was removed or replaced while it was open, so nothing is written: stop the service, put the right one there, and start again`,
      );
  };
}
