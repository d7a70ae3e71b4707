import type { DatabaseSync } from 'node:sqlite';
import type { Nodes } from '../../../../core/storage/store.ts';
import { NODES, SELECT_NODES, type SqlRow, toNode } from '../../../../engines/sql/sql.ts';
import { prepared } from '../../../../engines/sqlite/prepare.ts';
import type { Node } from '../../domain/node.ts';

const STATEMENTS = {
  ...NODES,
  // Without the hint the planner reads the store's nodes by id until it meets the root.
  root: `${SELECT_NODES.replace('nodes n', 'nodes n INDEXED BY nodes_by_name')} WHERE s.name = $1 AND n.parent = ''`,
};

const one = (row: SqlRow | undefined) => (row === undefined ? undefined : toNode(row));

/** The nodes over one connection. */
export function nodesOn(db: DatabaseSync): Nodes {
  const sql = prepared(db, STATEMENTS);
  // Without an await in between: what the cache keeps of it must not stem from two commits.
  const nodeAt = (store: string, [first, ...names]: readonly string[]): Node | undefined => {
    let node = one(sql.root.get(store));
    if (node?.name !== first) return undefined;
    for (const name of names) node = node && one(sql.child.get(store, node.id, name));
    return node;
  };
  return {
    find: async (store, id) => one(sql.find.get(store, id)),
    root: async (store) => one(sql.root.get(store)),
    child: async (store, parent, name) => one(sql.child.get(store, parent, name)),
    at: async (store, names) => nodeAt(store, names),
    hasChildren: async (store, id) => sql.anyChild.get(store, id) !== undefined,
    children: async (store, parent) => sql.children.all(store, parent).map(toNode),
    page: async (after, limit) => sql.page.all(after?.store ?? '', after?.id ?? '', limit).map(toNode),
    async put({ store, id, type, name, parent = '' }) {
      sql.addStore.run(store);
      sql.put.run(store, id, type, name, parent);
    },
    async remove(store, id) {
      sql.remove.run(store, id);
    },
  };
}
