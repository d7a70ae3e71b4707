import type { Node } from '../domain/node.ts';
import type { Nodes } from '../storage/store.ts';

/** A parent that is not there: the one fault that another node may still mend. */
export interface ParentMissing {
  readonly parentMissing: string;
}

/** Whether putting the node there would make it lie in itself. */
async function liesInItself(nodes: Nodes, { store, id, parent }: Node): Promise<boolean> {
  for (let above = parent; above !== undefined; above = (await nodes.find(store, above))?.parent) {
    if (above === id) return true;
  }
  return false;
}

/** Puts a node, adding it or moving it; or tells why not, and puts nothing. A write unit's nodes are meant. */
export async function putNode(nodes: Nodes, node: Node): Promise<string | ParentMissing | undefined> {
  const { store, id, name, parent } = node;
  const old = await nodes.find(store, id);
  if (parent === undefined) {
    const root = await nodes.root(store);
    if (root !== undefined && root.id !== id)
      return `${store} has a root already, "${root.id}": give the node a parent`;
    if (old?.parent !== undefined) return `"${id}" lies in "${old.parent}": a root cannot be made of it`;
  } else {
    if ((await nodes.find(store, parent)) === undefined) return { parentMissing: parent };
    const namesake = await nodes.child(store, parent, name);
    if (namesake !== undefined && namesake.id !== id)
      return `"${parent}" has a node called "${name}" already, "${namesake.id}"`;
    if (old !== undefined && old.parent === undefined)
      return `"${id}" is the root of ${store} and cannot be moved`;
    if (old !== undefined && old.parent !== parent && (await liesInItself(nodes, node)))
      return `"${id}" would lie in itself`;
  }
  await nodes.put(node);
  return undefined;
}
