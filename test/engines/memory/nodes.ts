import type { Node } from '../../../src/capabilities/action-definitions/domain/node.ts';
import type { Nodes } from '../../../src/capabilities/action-definitions/tables/nodes.ts';
import { byCodePoints, every, one, type Sight, type Tables } from './tables.ts';

/** The key of a node in its table. */
export const nodeKey = ({ store, id }: Pick<Node, 'store' | 'id'>) => `${store}\0${id}`;

const byPlace = (a: Pick<Node, 'store' | 'id'>, b: Pick<Node, 'store' | 'id'>) =>
  byCodePoints(a.store, b.store) || byCodePoints(a.id, b.id);

/** The nodes of the memory engine. */
export function nodesIn(tables: Tables, sight: Sight): Nodes {
  const nodes = () => every(tables.nodes, sight);
  const below = (store: string, parent: string | undefined) =>
    nodes().filter((node) => node.store === store && node.parent === parent);
  const child = (store: string, parent: string | undefined, name: string | undefined) =>
    below(store, parent).find((node) => node.name === name);
  return {
    find: async (store, id) => one(tables.nodes, nodeKey({ store, id }), sight),
    root: async (store) => below(store, undefined)[0],
    child: async (store, parent, name) => child(store, parent, name),
    async at(store, [first, ...names]) {
      let node = child(store, undefined, first);
      for (const name of names) node = node && child(store, node.id, name);
      return node;
    },
    hasChildren: async (store, id) => below(store, id).length > 0,
    children: async (store, parent) => below(store, parent).sort((a, b) => byCodePoints(a.name, b.name)),
    page: async (after, limit) =>
      nodes()
        .filter((node) => after === undefined || byPlace(node, after) > 0)
        .sort(byPlace)
        .slice(0, limit),
    async put(node) {
      tables.nodes.set(nodeKey(node), node);
    },
    async remove(store, id) {
      tables.nodes.delete(nodeKey({ store, id }));
    },
  };
}
