import { existsSync, rmSync, statSync } from 'node:fs';
import { basename } from 'node:path';
import { StoreUnavailable } from '../store.ts';

/** Where a database is kept that a restoring replaces. */
export const keptBeside = (database: string): string => `${database}.replaced`;

/** What is kept beside a database of what a restoring replaced: its file, its log, or neither. */
export const keptOf = (database: string): string[] =>
  ['', '-wal'].map((end) => keptBeside(database) + end).filter((file) => existsSync(file));

function areOneFile(a: string, b: string): boolean {
  const [one, other] = [a, b].map((name) => statSync(name, { bigint: true, throwIfNoEntry: false }));
  return one !== undefined && one.ino === other?.ino && one.dev === other.dev;
}

/** Removes the second name that a restoring left which was killed before it replaced the database. */
export function removeSecondName(database: string): void {
  if (areOneFile(keptBeside(database), database)) rmSync(keptBeside(database));
}

/** Throws {@link StoreUnavailable} where something is kept already: it may be all that is left of a database. */
export function assertNothingKept(database: string): void {
  for (const kept of keptOf(database))
    if (!areOneFile(kept, database))
      throw new StoreUnavailable(
        `${basename(kept)} in it is from an earlier restoring: move it away or remove it first`,
      );
}
