import { statSync } from 'node:fs';
import { StoreUnavailable } from '../store.ts';

/** Nothing where there is no such file. */
function inodeOf(file: string): bigint | undefined {
  try {
    return statSync(file, { bigint: true, throwIfNoEntry: false })?.ino;
  } catch (cause) {
    throw new StoreUnavailable(
      `whether ${file} is still in its place cannot be seen, so nothing is written: let the service look into its folder`,
      { cause },
    );
  }
}

/**
 * Gives a look at whether `file`, a database that is open, is still where it was. It throws {@link StoreUnavailable} once
 * that was removed, another is in its place, or it cannot be seen: what is committed then may be gone with the process.
 * SQLite looks so itself before it writes a journal, and not before it writes a write-ahead log.
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
