import type { Nodes, NodesRead } from '../../../../core/storage/store.ts';
import { NODES_KEY } from '../../../../engines/postgres/keys.ts';
import { type Reading, statements, type Writing } from '../../../../engines/postgres/statement.ts';
import { NODES, SELECT_NODES, type SqlRow, STORE_NUMBER, toNode } from '../../../../engines/sql/sql.ts';

const SQL = statements('nodes', {
  ...NODES,
  root: `${SELECT_NODES} WHERE s.name = $1 AND n.parent = ''`,
  at: `WITH RECURSIVE way (depth, store, id, type, name, parent) AS (
      SELECT 1, n.store, n.id, n.type, n.name, n.parent FROM nodes n
      WHERE n.store = ${STORE_NUMBER} AND n.parent = '' AND n.name = ($2::text[])[1]
      UNION ALL
      SELECT w.depth + 1, n.store, n.id, n.type, n.name, n.parent FROM way w
      JOIN nodes n ON n.store = w.store AND n.parent = w.id AND n.name = ($2::text[])[w.depth + 1])
    SELECT $1 AS store, id, type, name, parent FROM way WHERE depth = cardinality($2::text[])`,
});

const one = ([row]: readonly SqlRow[]) => (row === undefined ? undefined : toNode(row));

/** The nodes of read units. */
export function nodesRead(db: Reading): NodesRead {
  return {
    find: async (store, id) => one(await db.rows(SQL.find, store, id)),
    root: async (store) => one(await db.rows(SQL.root, store)),
    child: async (store, parent, name) => one(await db.rows(SQL.child, store, parent, name)),
    at: async (store, names) => one(await db.rows(SQL.at, store, names)),
    hasChildren: async (store, id) => (await db.rows(SQL.anyChild, store, id)).length > 0,
    children: async (store, parent) => (await db.rows(SQL.children, store, parent)).map(toNode),
    page: async (after, limit) =>
      (await db.rows(SQL.page, after?.store ?? '', after?.id ?? '', limit)).map(toNode),
  };
}

/** The nodes of one write unit. It locks all nodes from the first that it reads or writes until it ends. */
export function nodesIn(db: Writing): Nodes {
  const locked: Reading = {
    async rows(asked, ...values) {
      await db.hold(NODES_KEY);
      return db.rows(asked, ...values);
    },
  };
  return {
    ...nodesRead(locked),
    async put({ store, id, type, name, parent = '' }) {
      await db.hold(NODES_KEY);
      await db.send(SQL.addStore, store);
      await db.send(SQL.put, store, id, type, name, parent);
    },
    async remove(store, id) {
      await db.hold(NODES_KEY);
      await db.send(SQL.remove, store, id);
    },
  };
}
