import type { FreedName } from '../../../core/domain/freed-name.ts';
import type { SqlRow } from '../../../engines/sql/sql.ts';
import { type Reading, statements, type UnitTable } from '../../../engines/sql/statement.ts';

export interface FreedNamesRead {
  find(key: string): Promise<FreedName | undefined>;
}

/** The names that provisioning freed. In a write unit `find` and `put` lock the set of users until the unit ends. */
export interface FreedNames extends FreedNamesRead {
  /** Adds a name, or replaces what is stored about it. */
  put(freed: FreedName): Promise<void>;
  /** Removes up to `limit` names that are free since `before`, in epoch milliseconds. Returns how many. */
  sweep(before: number, limit: number): Promise<number>;
}

declare module '../../../core/storage/store.ts' {
  interface ReadUnit {
    readonly freedNames: FreedNamesRead;
  }
  interface WriteUnit {
    readonly freedNames: FreedNames;
  }
}

// Without an external id the column is empty.
const SQL = statements('freed_names', {
  find: 'SELECT key, user_id, external_id, free_at FROM freed_names WHERE key = $1',
  put: `INSERT INTO freed_names (key, user_id, external_id, free_at) VALUES ($1, $2, $3, $4)
    ON CONFLICT (key) DO UPDATE SET user_id = excluded.user_id, external_id = excluded.external_id, free_at = excluded.free_at`,
  sweep:
    'DELETE FROM freed_names WHERE key IN (SELECT key FROM freed_names WHERE free_at < $1 ORDER BY free_at LIMIT $2)',
});

function freedNameValues({ key, userId, externalId = '', freeAt }: FreedName): (string | number)[] {
  return [key, userId, externalId, freeAt];
}

function toFreedName(row: SqlRow): FreedName {
  return {
    key: row.key as string,
    userId: row.user_id as number,
    externalId: row.external_id === '' ? undefined : (row.external_id as string),
    freeAt: row.free_at as number,
  };
}

const read = (db: Reading): FreedNamesRead => ({
  async find(key) {
    const [row] = await db.rows(SQL.find, key);
    return row && toFreedName(row);
  },
});

export const freedNamesTable: UnitTable = {
  member: 'freedNames',
  read,
  write: (db): FreedNames => ({
    async find(key) {
      await db.lock('users');
      return read(db).find(key);
    },
    async put(freed) {
      await db.lock('users');
      await db.send(SQL.put, ...freedNameValues(freed));
    },
    sweep: (before, limit) => db.change(SQL.sweep, before, limit),
  }),
};
