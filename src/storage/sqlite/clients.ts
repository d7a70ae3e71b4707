import type { DatabaseSync } from 'node:sqlite';
import type { RegisteredClient } from '../../domain/client.ts';
import type { Clients } from '../store.ts';

function toClient(row: Record<string, unknown>): RegisteredClient {
  return {
    name: row.name as string,
    secretDigest: Buffer.from(row.secret_digest as Uint8Array),
    addedAt: row.added_at as number,
  };
}

/** The client noun over one connection. */
export function clientsOn(db: DatabaseSync): Clients {
  const find = db.prepare('SELECT * FROM clients WHERE name = ?');
  const list = db.prepare('SELECT * FROM clients ORDER BY name');
  const add = db.prepare('INSERT INTO clients VALUES (?, ?, ?) ON CONFLICT (name) DO NOTHING');
  const remove = db.prepare('DELETE FROM clients WHERE name = ?');
  return {
    async find(name) {
      const row = find.get(name);
      return row === undefined ? undefined : toClient(row);
    },
    list: async () => list.all().map(toClient),
    add: async ({ name, secretDigest, addedAt }) => add.run(name, secretDigest, addedAt).changes === 1,
    remove: async (name) => remove.run(name).changes === 1,
  };
}
