import { statSync } from 'node:fs';
import { StoreUnavailable } from '../store.ts';

/** How long a reader relies on the last check, in milliseconds. */
const CHECK_EVERY = 1_000;

/** Which file this is on this machine; undefined where there is none. */
function identityOf(file: string): string | undefined {
  try {
    const stat = statSync(file, { bigint: true, throwIfNoEntry: false });
    return stat && `${stat.dev}:${stat.ino}`;
  } catch (cause) {
    throw new StoreUnavailable(
      `whether ${file} is still in its place cannot be seen, so nothing is read or written: let the service look into its folder`,
      { cause },
    );
  }
}

/** Checks whether an open database is still in its place. Either check throws {@link StoreUnavailable} if not. */
export interface PlaceCheck {
  /** Looks each time. */
  now(): void;
  /** Looks once a second at most, and repeats the last result meanwhile. */
  lately(): void;
}

/**
 * Returns a check that throws if the open database `file` was removed or replaced, or cannot be seen. What is committed
 * then may be lost with the process, and what is read then may be revoked in the file that stands in its place. SQLite
 * itself checks this before it writes a journal, but not before it writes a write-ahead log.
 */
export function placeCheck(file: string): PlaceCheck {
  const opened = identityOf(file);
  let lastLook = Number.NEGATIVE_INFINITY;
  let fault: unknown;
  const now = () => {
    if (opened === undefined || identityOf(file) !== opened)
      throw new StoreUnavailable(
        `${file} was removed or replaced while it was open, so nothing is read or written: stop the service, put the right one there, and start again`,
      );
  };
  const look = () => {
    try {
      now();
      fault = undefined;
    } catch (error) {
      fault = error;
    }
  };
  const lately = () => {
    const time = performance.now();
    if (time - lastLook >= CHECK_EVERY) {
      lastLook = time;
      look();
    }
    if (fault !== undefined) throw fault;
  };
  return { now, lately };
}
