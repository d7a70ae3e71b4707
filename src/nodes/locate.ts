import type { Node, NodeReference } from '../domain/node.ts';
import { nodeName } from '../domain/node.ts';
import { type Refusal, refuse } from '../domain/refusal.ts';
import type { ReadUnit } from '../storage/store.ts';

/** Which part of what was asked for is not there. */
export type NodeRefusal = Refusal<
  'store_not_found' | 'node_not_found' | 'path_not_found' | 'nodes_unavailable'
>;

/** Whoever knows the nodes, if it is not the store: asked before the transaction, since it may be slow. */
export interface RemoteNodes {
  locate(reference: NodeReference): Promise<Node | NodeRefusal>;
}

/** The refusal of a path, naming the first part of it that is not there. */
export function pathNotFound(path: readonly string[], depth: number): NodeRefusal {
  const above = path.slice(0, depth).join('/');
  return refuse('path_not_found', {
    detail: above === '' ? `"${path[depth]}"` : `"${path[depth]}" in ${above}`,
  });
}

/** The node that a reference names in the store, or what of it is not there. */
export async function locate(
  { nodes }: Pick<ReadUnit, 'nodes'>,
  reference: NodeReference,
): Promise<Node | NodeRefusal> {
  const { store } = reference;
  const root = await nodes.root(store);
  if (root === undefined) return refuse('store_not_found', { detail: store });
  if ('root' in reference) return root;
  if ('id' in reference)
    return (await nodes.find(store, reference.id)) ?? refuse('node_not_found', { detail: reference.id });
  const { path } = reference;
  if (root.name !== nodeName(path[0] ?? '')) return pathNotFound(path, 0);
  let node = root;
  for (const [depth, name] of path.entries()) {
    if (depth === 0) continue;
    const child = await nodes.child(store, node.id, nodeName(name));
    if (child === undefined) return pathNotFound(path, depth);
    node = child;
  }
  return node;
}
