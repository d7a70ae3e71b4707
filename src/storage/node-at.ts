import type { Node } from '../domain/node.ts';
import type { NodesRead } from './store.ts';

/** What {@link NodesRead.at} promises, for engines that go down name by name. */
export async function nodeAt(
  { root, child }: Pick<NodesRead, 'root' | 'child'>,
  store: string,
  [first, ...names]: readonly string[],
): Promise<Node | undefined> {
  let node = await root(store);
  if (node?.name !== first) return undefined;
  for (const name of names) node = node && (await child(store, node.id, name));
  return node;
}
