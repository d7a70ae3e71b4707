import { rmSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { makeFolder } from '../../../core/make-folder.ts';
import { giveSecondName, syncToDisk } from '../../../core/storage/on-disk.ts';
import { StoreUnavailable } from '../../../core/storage/store.ts';
import type { TransferRow, TransferTable } from '../../../core/storage/transfer.ts';
import type { TransferTarget } from '../../../core/storage/transfer-sides.ts';
import { databaseIn, inFolder } from '../data-folder.ts';
import { isBusy } from '../errors.ts';
import { migrate } from '../migrate.ts';
import { draftOf, refuseOthers } from './draft.ts';
import { bound, insertOf, raiseLastIds, removalOf, rowsOn } from './rows.ts';

/** How many KiB of pages are cached: with fewer, an index in another order than the rows is read again and again. */
const CACHE = 262_144;

function connected(draft: string): DatabaseSync {
  const db = new DatabaseSync(draft, { timeout: 0 });
  try {
    db.exec('PRAGMA locking_mode = EXCLUSIVE');
    migrate(db);
    // A crash of the machine may lose commits: the copy goes on from what is left. Its end waits for the disk.
    db.exec(`PRAGMA synchronous = NORMAL; PRAGMA cache_size = -${CACHE}; BEGIN IMMEDIATE; COMMIT`);
    return db;
  } catch (error) {
    db.close();
    if (isBusy(error)) throw new StoreUnavailable('another copy into it is under way', { cause: error });
    throw error;
  }
}

function change(
  db: DatabaseSync,
  part: TransferTable,
  removed: readonly TransferRow[],
  added: readonly TransferRow[],
): void {
  const [remove, insert] = [db.prepare(removalOf(part)), db.prepare(insertOf(part))];
  db.exec('BEGIN IMMEDIATE');
  try {
    for (const key of removed) remove.run(...bound(key));
    for (const row of added) insert.run(...bound(row));
    db.exec('COMMIT');
  } catch (error) {
    if (db.isTransaction) db.exec('ROLLBACK');
    throw error;
  }
}

/** Makes the finished draft the database of the folder, unless another database was made there meanwhile. */
function putInPlace(draft: string, folder: string): void {
  try {
    giveSecondName(draft, databaseIn(folder), 'keep the data folder on another');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    throw new StoreUnavailable(
      'a database was made in it meanwhile: take that away and give the copy command again, or name another folder',
      { cause: error },
    );
  }
  // The new name has to be on the disk before the old one is removed.
  syncToDisk(folder);
  // A reader of the draft may have left a file beside it.
  for (const end of ['', '-shm']) rmSync(draft + end, { force: true });
}

/** Opens a new embedded store in `folder` to copy this source into. It is a draft until it is finished. */
export function sqliteTarget(folder: string, source: string): TransferTarget {
  const draft = draftOf(folder, source);
  return inFolder(folder, () => {
    makeFolder(folder);
    refuseOthers(folder, draft);
    const db = connected(draft);
    return {
      ...rowsOn(db, folder),
      change: async (part, removed, added) => inFolder(folder, () => change(db, part, removed, added)),
      finish: async (lastIds) =>
        inFolder(folder, () => {
          raiseLastIds(db, lastIds);
          db.exec('PRAGMA wal_checkpoint(TRUNCATE)');
          db.close();
          putInPlace(draft, folder);
        }),
      async close() {
        if (db.isOpen) db.close();
      },
    };
  });
}
