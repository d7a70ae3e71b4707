import { DatabaseSync } from 'node:sqlite';
import { isBusy } from './errors.ts';

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
export function asItIs(file: string): DatabaseSync {
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
