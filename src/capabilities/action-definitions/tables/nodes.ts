import type { SqlRow } from '../../../engines/sql/sql.ts';
import { type Reading, statements, type UnitTable, type Writing } from '../../../engines/sql/statement.ts';
import type { Node } from '../domain/node.ts';

/** Names are compared by their code units. A fresh store has the nodes of `WELL_KNOWN_NODES`. */
export interface NodesRead {
  find(store: string, id: string): Promise<Node | undefined>;
  /** The one node of the store without a parent. */
  root(store: string): Promise<Node | undefined>;
  /** The child of this name, found by an index: the cost of a path is its depth. */
  child(store: string, parent: string, name: string): Promise<Node | undefined>;
  /** The node at the end of a path of names, from the root's name on. */
  at(store: string, names: readonly string[]): Promise<Node | undefined>;
  hasChildren(store: string, id: string): Promise<boolean>;
  /** The children of a node, sorted by name. */
  children(store: string, parent: string): Promise<Node[]>;
  /** Up to `limit` nodes after `after`, in an order that never changes. */
  page(after: Pick<Node, 'store' | 'id'> | undefined, limit: number): Promise<Node[]>;
}

export interface Nodes extends NodesRead {
  /** Adds the node, or replaces the one with its store and id. `nodes/` decides what may be put. */
  put(node: Node): Promise<void>;
  remove(store: string, id: string): Promise<void>;
}

declare module '../../../core/storage/store.ts' {
  interface ReadUnit {
    readonly nodes: NodesRead;
  }
  interface WriteUnit {
    readonly nodes: Nodes;
  }
}

/** Begins a statement whose rows are for {@link toNode}; the tables are called `n` and `s`. */
const SELECT_NODES =
  'SELECT s.name AS store, n.id, n.type, n.name, n.parent FROM nodes n JOIN node_stores s ON s.number = n.store';
/** The number of the node store whose name is the first value. */
const STORE_NUMBER = '(SELECT number FROM node_stores WHERE name = $1)';

/** The node at the end of a path of names, from the root on: by the first name, the next one, and their number. */
const wayTo = (first: string, next: string, depth: string) => `
  WITH RECURSIVE way (depth, store, id, type, name, parent) AS (
      SELECT 1, n.store, n.id, n.type, n.name, n.parent FROM nodes n
      WHERE n.store = ${STORE_NUMBER} AND n.parent = '' AND n.name = ${first}
      UNION ALL
      SELECT w.depth + 1, n.store, n.id, n.type, n.name, n.parent FROM way w
      JOIN nodes n ON n.store = w.store AND n.parent = w.id AND n.name = ${next})
    SELECT $1 AS store, id, type, name, parent FROM way WHERE depth = ${depth}`;

const SQL = statements('nodes', {
  find: `${SELECT_NODES} WHERE s.name = $1 AND n.id = $2`,
  child: `${SELECT_NODES} WHERE s.name = $1 AND n.parent = $2 AND n.name = $3`,
  children: `${SELECT_NODES} WHERE s.name = $1 AND n.parent = $2 ORDER BY n.name`,
  anyChild: `SELECT 1 FROM nodes WHERE store = ${STORE_NUMBER} AND parent = $2 LIMIT 1`,
  page: `${SELECT_NODES} WHERE (n.store, n.id) > (coalesce(${STORE_NUMBER}, 0), $2) ORDER BY n.store, n.id LIMIT $3`,
  addStore: `INSERT INTO node_stores (name) SELECT $1 WHERE ${STORE_NUMBER} IS NULL`,
  put: `INSERT INTO nodes SELECT number, $2, $3, $4, $5 FROM node_stores WHERE name = $1
    ON CONFLICT (store, id) DO UPDATE SET type = excluded.type, name = excluded.name, parent = excluded.parent`,
  remove: `DELETE FROM nodes WHERE store = ${STORE_NUMBER} AND id = $2`,
  root: {
    postgres: `${SELECT_NODES} WHERE s.name = $1 AND n.parent = ''`,
    // Without the hint the planner reads the store's nodes by id until it meets the root.
    sqlite: `${SELECT_NODES.replace('nodes n', 'nodes n INDEXED BY nodes_by_name')} WHERE s.name = $1 AND n.parent = ''`,
  },
  at: {
    postgres: wayTo('($2::text[])[1]', '($2::text[])[w.depth + 1]', 'cardinality($2::text[])'),
    sqlite: wayTo(
      '(SELECT value FROM json_each($2) WHERE key = 0)',
      '(SELECT value FROM json_each($2) WHERE key = w.depth)',
      'json_array_length($2)',
    ),
  },
});

function toNode(row: SqlRow): Node {
  const { store, id, type, name, parent } = row as Record<keyof Node, string>;
  return parent === '' ? { store, id, type, name } : { store, id, type, name, parent };
}

const one = ([row]: readonly SqlRow[]) => (row === undefined ? undefined : toNode(row));

const read = (db: Reading): NodesRead => ({
  find: async (store, id) => one(await db.rows(SQL.find, store, id)),
  root: async (store) => one(await db.rows(SQL.root, store)),
  child: async (store, parent, name) => one(await db.rows(SQL.child, store, parent, name)),
  at: async (store, names) => one(await db.rows(SQL.at, store, names)),
  hasChildren: async (store, id) => (await db.rows(SQL.anyChild, store, id)).length > 0,
  children: async (store, parent) => (await db.rows(SQL.children, store, parent)).map(toNode),
  page: async (after, limit) =>
    (await db.rows(SQL.page, after?.store ?? '', after?.id ?? '', limit)).map(toNode),
});

/** The nodes of one write unit. It locks all nodes from the first that it reads or writes until it ends. */
function write(db: Writing): Nodes {
  const locked: Reading = {
    async rows(statement, ...values) {
      await db.lock('nodes');
      return db.rows(statement, ...values);
    },
  };
  return {
    ...read(locked),
    async put({ store, id, type, name, parent = '' }) {
      await db.lock('nodes');
      await db.send(SQL.addStore, store);
      await db.send(SQL.put, store, id, type, name, parent);
    },
    async remove(store, id) {
      await db.lock('nodes');
      await db.send(SQL.remove, store, id);
    },
  };
}

export const nodesTable: UnitTable = {
  member: 'nodes',
  read,
  write,
  cached: { reads: ['find', 'root', 'child', 'at'], changes: ['put', 'remove'] },
};
