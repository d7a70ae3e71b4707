import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { sqliteTarget } from '../../src/engines/sqlite/transfer/target.ts';
import { openSqlite } from '../../test/service/stores.ts';
import type { Engine } from './engine.ts';
import { fillTarget } from './rows.ts';

/** The embedded store. */
export const sqlite: Engine = {
  name: 'sqlite',
  about: 'in this process; synchronous=FULL',
  keptIn: 'disk',
  async fill(size, folder, say) {
    const data = join(folder, `sqlite-${size.tickets}`);
    await fillTarget(sqliteTarget(data, 'bench'), size, say);
    const store = openSqlite(data);
    return {
      store,
      async bytes() {
        using db = new DatabaseSync(join(data, 'tessera.db'), { readOnly: true });
        const of = db.prepare(
          'SELECT sum(pgsize) AS bytes FROM dbstat WHERE aggregate = TRUE AND name IN (SELECT name FROM sqlite_schema WHERE tbl_name = ?)',
        );
        const bytesOf = (table: string) => of.get(table)?.bytes as number;
        return { tickets: bytesOf('tickets'), users: bytesOf('users') };
      },
      serverSeconds: () => 0,
      [Symbol.asyncDispose]: () => store.close(),
    };
  },
};
