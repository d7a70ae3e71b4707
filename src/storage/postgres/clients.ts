import type { RegisteredClient } from '../../domain/client.ts';
import type { Clients, ClientsRead } from '../store.ts';
import { type Reading, type ResultRow, statement, type Writing } from './statement.ts';

const COLUMNS = 'name, secret_digest, added_at';
const FIND = statement('clients', 'find', `SELECT ${COLUMNS} FROM clients WHERE name = $1`);
const LIST = statement('clients', 'list', `SELECT ${COLUMNS} FROM clients ORDER BY name`);
const ADD = statement(
  'clients',
  'add',
  `INSERT INTO clients (${COLUMNS}) VALUES ($1, $2, $3) ON CONFLICT (name) DO NOTHING`,
);
const REMOVE = statement('clients', 'remove', 'DELETE FROM clients WHERE name = $1');

function toClient(row: ResultRow): RegisteredClient {
  return {
    name: row.name as string,
    secretDigest: row.secret_digest as Buffer,
    addedAt: row.added_at as number,
  };
}

/** The client noun of read units. */
export function clientsRead(db: Reading): ClientsRead {
  return {
    async find(name) {
      const [row] = await db.rows(FIND, name);
      return row === undefined ? undefined : toClient(row);
    },
    list: async () => (await db.rows(LIST)).map(toClient),
  };
}

/** The client noun of one write unit. */
export function clientsIn(db: Writing): Clients {
  return {
    ...clientsRead(db),
    add: async ({ name, secretDigest, addedAt }) => (await db.change(ADD, name, secretDigest, addedAt)) === 1,
    remove: async (name) => (await db.change(REMOVE, name)) === 1,
  };
}
