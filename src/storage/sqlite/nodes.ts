import type { DatabaseSync } from 'node:sqlite';
import type { Node } from '../../domain/node.ts';
import type { Nodes } from '../store.ts';

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
  const root = db.prepare(`${ROOT} WHERE s.name = ? AND n.parent = ''`);
  const child = db.prepare(`${SELECT} WHERE s.name = ? AND n.parent = ? AND n.name = ?`);
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
  // All of it at once: what is kept of it must not stem from two commits.
  const nodeAt = (store: string, [first, ...names]: readonly string[]): Node | undefined => {
    let node = one(root.get(store));
    if (node?.name !== first) return undefined;
    for (const name of names) node = node && one(child.get(store, node.id, name));
    return node;
  };
  return {
    find: async (store, id) => one(find.get(store, id)),
    root: async (store) => one(root.get(store)),
    child: async (store, parent, name) => one(child.get(store, parent, name)),
    at: async (store, names) => nodeAt(store, names),
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
