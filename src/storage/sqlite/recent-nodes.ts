import type { Node } from '../../domain/node.ts';
import type { Nodes, NodesRead } from '../store.ts';
import type { Recent } from './recent.ts';
import type { Shelf } from './shelf.ts';

/** Several texts as one, never the same for others. */
const joined = (one: string, two: string, three = '') => `${one.length} ${two.length} ${one}${two}${three}`;

/** A list of texts as one, never the same for others. */
const strung = (texts: readonly string[]) => texts.reduce((all, text) => `${all}${text.length} ${text}`, '');

type Answers = Shelf<string, Promise<Node | undefined>>;

/** The nodes that were looked up lately, by id and by the names from the root; any change of one empties them. */
export class RecentNodes {
  readonly #recent: Recent;
  readonly #byId: Answers;
  readonly #roots: Answers;
  readonly #children: Answers;
  readonly #ends: Answers;

  constructor(recent: Recent) {
    this.#recent = recent;
    this.#byId = recent.shelf();
    this.#roots = recent.shelf();
    this.#children = recent.shelf();
    this.#ends = recent.shelf();
  }

  /** The nodes of a unit that reads, as the last commit left them. */
  reading(nodes: NodesRead): NodesRead {
    const recent = this.#recent;
    return {
      ...nodes,
      find: (store, id) => recent.read(this.#byId, joined(store, id), () => nodes.find(store, id)),
      root: (store) => recent.read(this.#roots, store, () => nodes.root(store)),
      child: (store, parent, name) =>
        recent.read(this.#children, joined(store, parent, name), () => nodes.child(store, parent, name)),
      at: (store, names) =>
        recent.read(this.#ends, joined(store, strung(names)), () => nodes.at(store, names)),
    };
  }

  /** The nodes of a unit that writes, whose changes are noted here. */
  writing(nodes: Nodes): Nodes {
    return {
      ...nodes,
      put: (node) => {
        this.#noteAll();
        return nodes.put(node);
      },
      remove: (store, id) => {
        this.#noteAll();
        return nodes.remove(store, id);
      },
    };
  }

  #noteAll(): void {
    for (const shelf of [this.#byId, this.#roots, this.#children, this.#ends]) shelf.note();
  }
}
