import type { Node } from '../domain/node.ts';
import type { Nodes } from '../tables/nodes.ts';

/** Why a node was not put. */
export interface NotPut {
  /** What is wrong. Undefined if only the parent is missing, which may still come. */
  readonly why?: string;
  /** The id of the node that makes this put possible: the parent, or the node that has the name. */
  readonly mendedBy?: string;
}

/** Whether this parent would make a cycle. */
async function liesInItself(nodes: Nodes, { store, id, parent }: Node): Promise<boolean> {
  for (let above = parent; above !== undefined; above = (await nodes.find(store, above))?.parent) {
    if (above === id) return true;
  }
  return false;
}

/** Adds or moves a node. Returns why it could not, and then changes nothing. `nodes` has to be of a write unit. */
export async function putNode(nodes: Nodes, node: Node): Promise<NotPut | undefined> {
  const { store, id, name, parent } = node;
  const old = await nodes.find(store, id);
  if (parent === undefined) {
    const root = await nodes.root(store);
    if (root !== undefined && root.id !== id)
      return { why: `${store} has a root already, "${root.id}": give the node a parent` };
    if (old?.parent !== undefined)
      return { why: `"${id}" lies in "${old.parent}": a root cannot be made of it` };
  } else {
    if ((await nodes.find(store, parent)) === undefined) return { mendedBy: parent };
    const namesake = await nodes.child(store, parent, name);
    if (namesake !== undefined && namesake.id !== id)
      return {
        why: `"${parent}" has a node called "${name}" already, "${namesake.id}"`,
        mendedBy: namesake.id,
      };
    if (old !== undefined && old.parent === undefined)
      return { why: `"${id}" is the root of ${store} and cannot be moved` };
    if (old !== undefined && old.parent !== parent && (await liesInItself(nodes, node)))
      return { why: `"${id}" would lie in itself`, mendedBy: parent };
  }
  await nodes.put(node);
  return undefined;
}
