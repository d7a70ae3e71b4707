import type { DatabaseSync } from 'node:sqlite';
import type { Clients } from '../../core/storage/store.ts';
import { CLIENTS, toClient } from '../sql/sql.ts';
import { prepared } from './prepare.ts';

/** The clients over one connection. */
export function clientsOn(db: DatabaseSync): Clients {
  const sql = prepared(db, CLIENTS);
  return {
    async find(name) {
      const row = sql.find.get(name);
      return row && toClient(row);
    },
    list: async () => sql.list.all().map(toClient),
    add: async ({ name, secretDigest, addedAt }) => sql.add.run(name, secretDigest, addedAt).changes === 1,
    remove: async (name) => sql.remove.run(name).changes === 1,
  };
}
