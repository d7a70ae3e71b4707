import { type Refusal, refuse } from '../../../core/domain/refusal.ts';
import type { ReadUnit } from '../../../core/storage/store.ts';
import type { Node, NodeReference } from '../domain/node.ts';
import { nodeName } from '../domain/node.ts';
import type { NodesRead } from '../tables/nodes.ts';

/** Says which part of a node reference does not exist. */
export type NodeRefusal = Refusal<
  'store_not_found' | 'node_not_found' | 'path_not_found' | 'nodes_unavailable'
>;

/** The refusal of a path. It names the first part that does not exist. */
export function pathNotFound(path: readonly string[], depth: number): NodeRefusal {
  const above = path.slice(0, depth).join('/');
  return refuse('path_not_found', {
    detail: above === '' ? `"${path[depth]}"` : `"${path[depth]}" in ${above}`,
  });
}

/** The node that a reference names in the store, or the refusal that says which part does not exist. */
export async function locate(
  { nodes }: Pick<ReadUnit, 'nodes'>,
  reference: NodeReference,
): Promise<Node | NodeRefusal> {
  return (await find(nodes, reference)) ?? missing(nodes, reference);
}

async function find(nodes: NodesRead, reference: NodeReference): Promise<Node | undefined> {
  const { store } = reference;
  if ('path' in reference) return nodes.at(store, reference.path.map(nodeName));
  // A store without a root counts as not existing, whatever else it holds.
  const root = await nodes.root(store);
  return root && ('root' in reference ? root : nodes.find(store, reference.id));
}

/** The part of a reference that does not exist: the store, the node, or the first name on the path. */
async function missing(nodes: NodesRead, reference: NodeReference): Promise<NodeRefusal> {
  const { store } = reference;
  const root = await nodes.root(store);
  if (root === undefined || 'root' in reference) return refuse('store_not_found', { detail: store });
  if ('id' in reference) return refuse('node_not_found', { detail: reference.id });
  const { path } = reference;
  let node = root.name === nodeName(path[0] ?? '') ? root : undefined;
  let depth = 0;
  while (node !== undefined && depth < path.length - 1) {
    depth += 1;
    node = await nodes.child(store, node.id, nodeName(path[depth] as string));
  }
  return pathNotFound(path, depth);
}
