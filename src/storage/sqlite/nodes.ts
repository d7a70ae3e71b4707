import type { DatabaseSync } from 'node:sqlite';
import type { Node } from '../../domain/node.ts';
import { nodeAt } from '../node-at.ts';
import type { Nodes, NodesRead } from '../store.ts';

const SELECT =
  'SELECT s.name AS store, n.id, n.type, n.name, n.parent FROM nodes n JOIN node_stores s ON s.number = n.store';

const ROOT = SELECT.replace('nodes n', 'nodes n INDEXED BY nodes_by_name');

function toNode(row: Record<string, unknown>): Node {
  const { store, id, type, name, parent } = row as Record<
    'store' | 'id' | 'type' | 'name' | 'parent',
    string
  >;
  return parent === '' ? { store, id, type, name } : { store, id, type, name, parent };
}

/** The node noun over one connection. */
export function nodesOn(db: DatabaseSync): Nodes {
  const find = db.prepare(`${SELECT} WHERE s.name = ? AND n.id = ?`);
  // Without the hint the planner walks the store by id until it meets the root.
  const rootOf = db.prepare(`${ROOT} WHERE s.name = ? AND n.parent = ''`);
  const childOf = db.prepare(`${SELECT} WHERE s.name = ? AND n.parent = ? AND n.name = ?`);
  const anyChild = db.prepare(
    'SELECT 1 FROM nodes WHERE store = (SELECT number FROM node_stores WHERE name = ?) AND parent = ? LIMIT 1',
  );
  const children = db.prepare(`${SELECT} WHERE s.name = ? AND n.parent = ? ORDER BY n.name`);
  const page = db.prepare(
    `${SELECT} WHERE (n.store, n.id) > (coalesce((SELECT number FROM node_stores WHERE name = ?), 0), ?)
     ORDER BY n.store, n.id LIMIT ?`,
  );
  const addStore = db.prepare('INSERT INTO node_stores (name) VALUES (?) ON CONFLICT DO NOTHING');
  const put = db.prepare(
    `INSERT INTO nodes SELECT number, ?2, ?3, ?4, ?5 FROM node_stores WHERE name = ?1
     ON CONFLICT (store, id) DO UPDATE SET type = excluded.type, name = excluded.name, parent = excluded.parent`,
  );
  const remove = db.prepare(
    'DELETE FROM nodes WHERE store = (SELECT number FROM node_stores WHERE name = ?) AND id = ?',
  );

  const one = (row: Record<string, unknown> | undefined) => (row === undefined ? undefined : toNode(row));
  const root: NodesRead['root'] = async (store) => one(rootOf.get(store));
  const child: NodesRead['child'] = async (store, parent, name) => one(childOf.get(store, parent, name));
  return {
    find: async (store, id) => one(find.get(store, id)),
    root,
    child,
    at: (store, names) => nodeAt({ root, child }, store, names),
    hasChildren: async (store, id) => anyChild.get(store, id) !== undefined,
    children: async (store, parent) => children.all(store, parent).map(toNode),
    page: async (after, limit) => page.all(after?.store ?? '', after?.id ?? '', limit).map(toNode),
    async put({ store, id, type, name, parent = '' }) {
      addStore.run(store);
      put.run(store, id, type, name, parent);
    },
    async remove(store, id) {
      remove.run(store, id);
    },
  };
}
