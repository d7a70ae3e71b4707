import { createHash } from 'node:crypto';
import { existsSync, readdirSync } from 'node:fs';
import { basename } from 'node:path';
import { StoreUnavailable } from '../../../core/storage/store.ts';
import { databaseIn } from '../data-folder.ts';

/** What the names of half-done copies in a folder begin with. */
const beginningIn = (folder: string): string => `${basename(databaseIn(folder))}.copy-`;

/** The file of a half-done copy. Its name identifies the source, and no service opens a file of this name. */
export function draftOf(folder: string, source: string): string {
  const mark = createHash('sha256').update(source).digest('hex').slice(0, 16);
  return `${databaseIn(folder)}.copy-${mark}`;
}

/** Throws {@link StoreUnavailable} unless the folder is free, or has the half-done copy of the same source. */
export function refuseOthers(folder: string, draft: string): void {
  if (existsSync(databaseIn(folder)))
    throw new StoreUnavailable('there is a database in it already: name another folder');
  if (existsSync(`${databaseIn(folder)}-wal`))
    throw new StoreUnavailable(
      `it has the log of a database that is gone: remove ${basename(databaseIn(folder))}-wal`,
    );
  const other = readdirSync(folder).find(
    (name) => name.startsWith(beginningIn(folder)) && !name.startsWith(basename(draft)),
  );
  if (other !== undefined)
    throw new StoreUnavailable(
      `it has the half-done copy of another source: remove ${other}, or name another folder`,
    );
}

/** Throws {@link StoreUnavailable} while the folder has a half-done copy and no database. */
export function refuseHalfCopy(folder: string): void {
  if (existsSync(databaseIn(folder))) return;
  const draft = readdirSync(folder).find((name) => name.startsWith(beginningIn(folder)));
  if (draft === undefined) return;
  const files = `${draft.replace(/-(wal|shm|journal)$/, '')}*`;
  throw new StoreUnavailable(
    `it has the half-done copy of another store: give the copy command again, or remove ${files} to give it up`,
  );
}
