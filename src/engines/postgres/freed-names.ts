import type { FreedNames, FreedNamesRead } from '../../core/storage/freed-names.ts';
import { FREED_NAMES, freedNameValues, toFreedName } from '../sql/freed-names-sql.ts';
import { USERS_KEY } from './keys.ts';
import { type Reading, statements, type Writing } from './statement.ts';

const SQL = statements('freed_names', FREED_NAMES);

/** The freed names, of read units. */
export function freedNamesRead(db: Reading): FreedNamesRead {
  return {
    async find(key) {
      const [row] = await db.rows(SQL.find, key);
      return row && toFreedName(row);
    },
  };
}

/** The freed names, of one write unit. */
export function freedNamesIn(db: Writing): FreedNames {
  return {
    async find(key) {
      await db.hold(USERS_KEY);
      return freedNamesRead(db).find(key);
    },
    async put(freed) {
      await db.hold(USERS_KEY);
      await db.send(SQL.put, ...freedNameValues(freed));
    },
    sweep: (before, limit) => db.change(SQL.sweep, before, limit),
  };
}
