import type { Node } from '../domain/node.ts';
import type { NodesRead } from '../storage/store.ts';

/** A node and everything that lies in it, each before what it lies in. */
export async function subtree(nodes: NodesRead, top: Node): Promise<Node[]> {
  const found: Node[] = [top];
  for (const node of found) {
    for (const child of await nodes.children(node.store, node.id)) found.push(child);
  }
  return found.reverse();
}
