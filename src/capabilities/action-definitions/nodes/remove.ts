import type { Node } from '../domain/node.ts';
import type { Nodes, NodesRead } from '../tables/nodes.ts';

/** A node and everything below it, children before their parents. */
export async function subtree(nodes: NodesRead, top: Node): Promise<Node[]> {
  const found: Node[] = [top];
  for (const node of found) {
    for (const child of await nodes.children(node.store, node.id)) found.push(child);
  }
  return found.reverse();
}

/** Returns a check whether a node is `top` or lies below it. It remembers what it found. */
function liesIn(nodes: Nodes, top: Node): (node: Node) => Promise<boolean> {
  const ids = new Set([top.id]);
  return async (node) => {
    const way: string[] = [];
    let above: Node | undefined = node;
    while (above !== undefined && !ids.has(above.id)) {
      way.push(above.id);
      above = above.parent === undefined ? undefined : await nodes.find(above.store, above.parent);
    }
    if (above === undefined) return false;
    for (const id of way) ids.add(id);
    return true;
  };
}

/**
 * Removes the nodes of the {@link subtree} of `top` that still exist, children before their parents. If the tree
 * changed since it was read, so that more or other nodes would go, it returns what changed; the caller then has to undo
 * the write unit.
 */
export async function removeNodes(
  nodes: Nodes,
  top: Node,
  removed: readonly Node[],
): Promise<string | undefined> {
  const liesInTop = liesIn(nodes, top);
  for (const { store, id } of removed) {
    const found = await nodes.find(store, id);
    if (found === undefined) continue;
    if (!(await liesInTop(found))) return `"${id}" was moved out of "${top.id}" meanwhile`;
    if (await nodes.hasChildren(store, id)) return `nodes came into "${id}" meanwhile`;
    await nodes.remove(store, id);
  }
  return undefined;
}
