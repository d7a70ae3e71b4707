import { existsSync, realpathSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { StoreUnavailable } from '../../store.ts';
import type { TransferSource } from '../../transfer.ts';
import { isBusy } from '../errors.ts';
import { assertCurrent } from '../migrate.ts';
import { databaseIn, explained, lookInto } from '../place.ts';
import { tablesOn } from './reader.ts';

/** A connection that keeps everybody else out; nothing when somebody has the database open. */
export function heldAlone(file: string): DatabaseSync | undefined {
  const db = new DatabaseSync(file, { timeout: 0 });
  try {
    db.exec('PRAGMA locking_mode = EXCLUSIVE; BEGIN IMMEDIATE');
    return db;
  } catch (error) {
    db.close();
    if (isBusy(error)) return undefined;
    throw error;
  }
}

/** A connection to the database as it is now, whatever is written from here on. */
function asItIs(file: string): DatabaseSync {
  const db = new DatabaseSync(file, { readOnly: true, timeout: 10_000 });
  try {
    // The first read is what fixes the moment.
    db.exec('BEGIN; SELECT count(*) FROM sqlite_schema');
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
}

/** The embedded store in `folder`, to copy from. While nobody has it open it is held, else it is read as it is now. */
export function sqliteSource(folder: string): TransferSource {
  const file = databaseIn(folder);
  try {
    if (!existsSync(file)) throw new StoreUnavailable('there is no database in it');
    lookInto(file, assertCurrent);
    const alone = heldAlone(file);
    const db = alone ?? asItIs(file);
    const tables = tablesOn(db);
    return {
      identity: `sqlite:${realpathSync(file)}`,
      shown: `the data folder ${folder}`,
      inUse: alone === undefined ? 'something has its database open' : undefined,
      count: async (part) => tables.count(part),
      page: async (part, after, limit) => tables.page(part, after, limit),
      lastIds: async () => tables.lastIds(),
      async close() {
        if (db.isOpen) db.close();
      },
    };
  } catch (error) {
    throw explained(folder, error);
  }
}
