import type { Node } from '../../domain/node.ts';
import type { Nodes, NodesRead } from '../store.ts';
import type { Recent } from './recent.ts';

/** Several texts as one, never the same for others. */
const joined = (one: string, two: string, three = '') => `${one.length} ${two.length} ${one}${two}${three}`;

/** A list of texts as one, never the same for others. */
const strung = (texts: readonly string[]) => texts.reduce((all, text) => `${all}${text.length} ${text}`, '');

/** Nodes as units read them, by what was read lately, and as they write them, with what they change noted. */
interface RecentNodes {
  reading(read: NodesRead): NodesRead;
  writing(written: Nodes): Nodes;
}

/** Nodes by id and by the names on their way down from the root; any change of a node empties them. */
export function recentNodes(recent: Recent): RecentNodes {
  const byId = recent.shelf<string, Promise<Node | undefined>>();
  const roots = recent.shelf<string, Promise<Node | undefined>>();
  const children = recent.shelf<string, Promise<Node | undefined>>();
  const ends = recent.shelf<string, Promise<Node | undefined>>();
  const changed = () => {
    for (const shelf of [byId, roots, children, ends]) shelf.changes();
  };
  return {
    reading: (read) => ({
      ...read,
      find: (store, id) => recent.read(byId, joined(store, id), () => read.find(store, id)),
      root: (store) => recent.read(roots, store, () => read.root(store)),
      child: (store, parent, name) =>
        recent.read(children, joined(store, parent, name), () => read.child(store, parent, name)),
      at: (store, names) => recent.read(ends, joined(store, strung(names)), () => read.at(store, names)),
    }),
    writing: (written) => ({
      ...written,
      put(node) {
        changed();
        return written.put(node);
      },
      remove(store, id) {
        changed();
        return written.remove(store, id);
      },
    }),
  };
}
