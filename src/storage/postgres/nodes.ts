import type { Node } from '../../domain/node.ts';
import type { Nodes, NodesRead } from '../store.ts';
import { NODES_KEY } from './keys.ts';
import { type Reading, type ResultRow, statement, unescaped, type Writing } from './statement.ts';

const SELECT =
  'SELECT s.name AS store, n.id, n.type, n.name, n.parent FROM nodes n JOIN node_stores s ON s.number = n.store';
const NUMBER = '(SELECT number FROM node_stores WHERE name = $1)';

const FIND = statement('nodes', 'find', `${SELECT} WHERE s.name = $1 AND n.id = $2`);
const ROOT = statement('nodes', 'root', `${SELECT} WHERE s.name = $1 AND n.parent = ''`);
const CHILD = statement('nodes', 'child', `${SELECT} WHERE s.name = $1 AND n.parent = $2 AND n.name = $3`);
const AT = statement(
  'nodes',
  'at',
  `WITH RECURSIVE way (depth, store, id, type, name, parent) AS (
     SELECT 1, n.store, n.id, n.type, n.name, n.parent FROM nodes n
     WHERE n.store = ${NUMBER} AND n.parent = '' AND n.name = ($2::text[])[1]
     UNION ALL
     SELECT w.depth + 1, n.store, n.id, n.type, n.name, n.parent FROM way w
     JOIN nodes n ON n.store = w.store AND n.parent = w.id AND n.name = ($2::text[])[w.depth + 1])
   SELECT $1 AS store, id, type, name, parent FROM way WHERE depth = cardinality($2::text[])`,
);
const ANY_CHILD = statement(
  'nodes',
  'anyChild',
  `SELECT 1 FROM nodes WHERE store = ${NUMBER} AND parent = $2 LIMIT 1`,
);
const CHILDREN = statement(
  'nodes',
  'children',
  `${SELECT} WHERE s.name = $1 AND n.parent = $2 ORDER BY n.name`,
);
const PAGE = statement(
  'nodes',
  'page',
  `${SELECT} WHERE (n.store, n.id) > (coalesce(${NUMBER}, 0), $2) ORDER BY n.store, n.id LIMIT $3`,
);
const ADD_STORE = statement(
  'nodes',
  'addStore',
  `INSERT INTO node_stores (name) SELECT $1 WHERE ${NUMBER} IS NULL`,
);
const PUT = statement(
  'nodes',
  'put',
  `INSERT INTO nodes SELECT number, $2, $3, $4, $5 FROM node_stores WHERE name = $1
   ON CONFLICT (store, id) DO UPDATE SET type = excluded.type, name = excluded.name, parent = excluded.parent`,
);
const REMOVE = statement('nodes', 'remove', `DELETE FROM nodes WHERE store = ${NUMBER} AND id = $2`);

function toNode(row: ResultRow): Node {
  const parent = unescaped(row.parent as string);
  const node = {
    store: unescaped(row.store as string),
    id: unescaped(row.id as string),
    type: unescaped(row.type as string),
    name: unescaped(row.name as string),
  };
  return parent === '' ? node : { ...node, parent };
}

const one = ([row]: readonly ResultRow[]) => (row === undefined ? undefined : toNode(row));

/** The node noun of read units. */
export function nodesRead(db: Reading): NodesRead {
  return {
    find: async (store, id) => one(await db.rows(FIND, store, id)),
    root: async (store) => one(await db.rows(ROOT, store)),
    child: async (store, parent, name) => one(await db.rows(CHILD, store, parent, name)),
    at: async (store, names) => one(await db.rows(AT, store, names)),
    hasChildren: async (store, id) => (await db.rows(ANY_CHILD, store, id)).length > 0,
    children: async (store, parent) => (await db.rows(CHILDREN, store, parent)).map(toNode),
    page: async (after, limit) =>
      (await db.rows(PAGE, after?.store ?? '', after?.id ?? '', limit)).map(toNode),
  };
}

/** The node noun of one write unit: all nodes are its own from the first that it touches until it ends. */
export function nodesIn(db: Writing): Nodes {
  const held: Reading = {
    async rows(asked, ...values) {
      await db.hold(NODES_KEY);
      return db.rows(asked, ...values);
    },
  };
  return {
    ...nodesRead(held),
    async put({ store, id, type, name, parent = '' }) {
      await db.hold(NODES_KEY);
      await db.send(ADD_STORE, store);
      await db.send(PUT, store, id, type, name, parent);
    },
    async remove(store, id) {
      await db.hold(NODES_KEY);
      await db.send(REMOVE, store, id);
    },
  };
}
