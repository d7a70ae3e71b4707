import { createHash } from 'node:crypto';
import { existsSync, readdirSync } from 'node:fs';
import { basename } from 'node:path';
import { StoreUnavailable } from '../../store.ts';
import { databaseIn } from '../data-folder.ts';

/** What the names of half-done copies in a folder begin with. */
const beginningIn = (folder: string): string => `${basename(databaseIn(folder))}.copy-`;

/** The half-done copy of this source: its name tells whose it is, and no service opens a file of this name. */
export function draftOf(folder: string, source: string): string {
  const mark = createHash('sha256').update(source).digest('hex').slice(0, 16);
  return `${databaseIn(folder)}.copy-${mark}`;
}

/** Throws {@link StoreUnavailable} unless the folder is free for this copy, or has the half of it that is done. */
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

/** Throws {@link StoreUnavailable} while what is in the folder is the half-done copy of another store. */
export function refuseHalfCopy(folder: string): void {
  if (existsSync(databaseIn(folder))) return;
  const draft = readdirSync(folder).find((name) => name.startsWith(beginningIn(folder)));
  if (draft === undefined) return;
  const files = `${draft.replace(/-(wal|shm|journal)$/, '')}*`;
  throw new StoreUnavailable(
    `it has the half-done copy of another store: give the copy command again, or remove ${files} to give it up`,
  );
}
