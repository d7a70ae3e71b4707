import type { DatabaseSync } from 'node:sqlite';
import type { FreedNames } from '../../core/storage/freed-names.ts';
import { FREED_NAMES, freedNameValues, toFreedName } from '../sql/freed-names-sql.ts';
import { prepared } from './prepare.ts';

/** The freed names over one connection; on a reading connection SQLite itself refuses the writes. */
export function freedNamesOn(db: DatabaseSync): FreedNames {
  const sql = prepared(db, FREED_NAMES);
  return {
    async find(key) {
      const row = sql.find.get(key);
      return row && toFreedName(row);
    },
    async put(freed) {
      sql.put.run(...freedNameValues(freed));
    },
    sweep: async (before, limit) => Number(sql.sweep.run(before, limit).changes),
  };
}
