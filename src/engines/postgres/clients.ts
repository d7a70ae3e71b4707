import type { Clients, ClientsRead } from '../../core/storage/store.ts';
import { CLIENTS, secretColumn, toClient } from '../sql/sql.ts';
import { type Reading, statements } from '../sql/statement.ts';
import type { PostgresWriting } from './statement.ts';

const SQL = statements('clients', CLIENTS);

/** The clients of read units. */
export function clientsRead(db: Reading): ClientsRead {
  return {
    async find(name) {
      const [row] = await db.rows(SQL.find, name);
      return row && toClient(row);
    },
    list: async () => (await db.rows(SQL.list)).map(toClient),
  };
}

/** The clients of one write unit. */
export function clientsIn(db: PostgresWriting): Clients {
  return {
    ...clientsRead(db),
    add: async ({ name, secretDigest, addedAt }) =>
      (await db.change(SQL.add, name, secretColumn(secretDigest), addedAt)) === 1,
    setSecret: async (name, digest) => (await db.change(SQL.setSecret, name, secretColumn(digest))) === 1,
    remove: async (name) => (await db.change(SQL.remove, name)) === 1,
  };
}
