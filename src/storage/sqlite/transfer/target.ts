import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { basename, resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { StoreUnavailable } from '../../store.ts';
import type { LastIds, Part, Row, TransferTarget } from '../../transfer.ts';
import { isBusy } from '../errors.ts';
import { migrate } from '../migrate.ts';
import { syncToDisk } from '../on-disk.ts';
import { databaseIn, explained } from '../place.ts';
import { bound, insertOf, removalOf, tablesOn } from './reader.ts';

/** KiB of pages that are kept: with fewer, an index that rows come to in another order is read again and again. */
const CACHE = 262_144;

/** The half-done copy of this source: its name tells whose it is, and no service opens a file of this name. */
function draftOf(folder: string, source: string): string {
  const mark = createHash('sha256').update(source).digest('hex').slice(0, 16);
  return `${databaseIn(folder)}.copy-${mark}`;
}

function refuseOthers(folder: string, draft: string): void {
  if (existsSync(databaseIn(folder)))
    throw new StoreUnavailable('there is a database in it already: name another folder');
  const prefix = basename(databaseIn(folder));
  if (existsSync(`${databaseIn(folder)}-wal`))
    throw new StoreUnavailable(`it has the log of a database that is gone: remove ${prefix}-wal`);
  const other = readdirSync(folder).find(
    (name) => name.startsWith(`${prefix}.copy-`) && !name.startsWith(basename(draft)),
  );
  if (other !== undefined)
    throw new StoreUnavailable(
      `it has the half-done copy of another source: remove ${other}, or name another folder`,
    );
}

function connected(draft: string): DatabaseSync {
  const db = new DatabaseSync(draft, { timeout: 0 });
  try {
    db.exec('PRAGMA locking_mode = EXCLUSIVE');
    migrate(db);
    // What a crash of the machine takes away is copied again; the end of the copy waits for the disk.
    db.exec(`PRAGMA synchronous = NORMAL; PRAGMA cache_size = -${CACHE}; BEGIN IMMEDIATE; COMMIT`);
    return db;
  } catch (error) {
    db.close();
    if (isBusy(error)) throw new StoreUnavailable('another copy into it is under way', { cause: error });
    throw error;
  }
}

function setLastIds(db: DatabaseSync, lastIds: LastIds): void {
  const update = db.prepare('UPDATE sqlite_sequence SET seq = ?2 WHERE name = ?1');
  const insert = db.prepare('INSERT INTO sqlite_sequence (name, seq) VALUES (?, ?)');
  for (const [table, last] of Object.entries(lastIds)) {
    if (update.run(table, last).changes === 0) insert.run(table, last);
  }
}

function change(db: DatabaseSync, part: Part, removed: readonly Row[], added: readonly Row[]): void {
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

/** The embedded store that is to be in `folder`, to copy this source into. It is a file aside until it is finished. */
export function sqliteTarget(folder: string, source: string): TransferTarget {
  const draft = draftOf(folder, source);
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    refuseOthers(folder, draft);
    const db = connected(draft);
    const tables = tablesOn(db);
    return {
      identity: `sqlite:${resolve(databaseIn(folder))}`,
      shown: `the data folder ${folder}`,
      count: async (part) => tables.count(part),
      page: async (part, after, limit) => tables.page(part, after, limit),
      lastIds: async () => tables.lastIds(),
      async change(part, removed, added) {
        try {
          change(db, part, removed, added);
        } catch (error) {
          throw explained(folder, error);
        }
      },
      async finish(lastIds) {
        setLastIds(db, lastIds);
        db.exec('PRAGMA wal_checkpoint(TRUNCATE)');
        db.close();
        renameSync(draft, databaseIn(folder));
        // Left by somebody who looked into the draft.
        rmSync(`${draft}-shm`, { force: true });
        syncToDisk(folder);
      },
      async close() {
        if (db.isOpen) db.close();
      },
    };
  } catch (error) {
    throw explained(folder, error);
  }
}
