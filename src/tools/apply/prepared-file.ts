import {
  appendFileSync,
  chmodSync,
  chownSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { syncToDisk } from '../../core/storage/on-disk.ts';
import { CommandRefused } from '../../faces/cli/failure.ts';

/** The new content of a file, written beside it, so that only a rename is left to do. */
export interface PreparedFile {
  /** Writes more text at its end. */
  append(text: string): void;
  /** Puts the new file in the place of the old one. */
  replace(): void;
  /** Removes the new file, if it is not in its place. */
  discard(): void;
}

/** Throws {@link CommandRefused} if the system does not do `work` on a file. */
function onFile<T>(file: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw new CommandRefused(`${file} cannot be written: ${(error as Error).message}.`);
  }
}

function write(file: string, text: string): void {
  // Not into a file or a link that somebody else has put there: the text may hold hashes.
  rmSync(file, { force: true });
  writeFileSync(file, text, { flag: 'wx', mode: 0o600 });
}

/**
 * Prepares a file with this text. A private one can be read by its owner only; another one keeps the mode of the existing
 * file, or can be read by all if it is new. The owner stays, and a link stays a link. Throws {@link CommandRefused} if the
 * file cannot be written.
 */
export function prepareFile(file: string, text: string, isPrivate: boolean): PreparedFile {
  return onFile(file, () => {
    const old = statSync(file, { throwIfNoEntry: false });
    const place = old === undefined ? file : realpathSync(file);
    const prepared = `${place}.new`;
    write(prepared, text);
    if (old !== undefined && process.getuid?.() === 0) chownSync(prepared, old.uid, old.gid);
    // The umask of commands keeps files private.
    chmodSync(prepared, isPrivate ? 0o600 : (old?.mode ?? 0o644) & 0o777);
    return {
      append: (more) => onFile(file, () => appendFileSync(prepared, more)),
      replace: () =>
        onFile(file, () => {
          syncToDisk(prepared);
          renameSync(prepared, place);
        }),
      discard: () => rmSync(prepared, { force: true }),
    };
  });
}
