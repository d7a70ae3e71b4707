import type { Node } from '../../domain/node.ts';
import type { Nodes, NodesRead } from '../store.ts';
import type { ReadCache } from './read-cache.ts';
import type { TwoGenerationCache } from './two-generation-cache.ts';

/** A question with its texts as one text, never the same for others. */
const keyOf = (question: string, ...texts: readonly string[]) =>
  texts.reduce((key, text) => `${key}${text.length} ${text}`, question);

/** The nodes that were looked up lately, by id and by the names from the root; any change of one empties them. */
export class NodeCache {
  readonly #answers: TwoGenerationCache<string, Promise<Node | undefined>>;

  constructor(recent: ReadCache) {
    this.#answers = recent.shelf();
  }

  /** The nodes of a unit that reads, as the last commit left them. */
  reading(nodes: NodesRead): NodesRead {
    return {
      ...nodes,
      find: (store, id) => this.#read(keyOf('find', store, id), () => nodes.find(store, id)),
      root: (store) => this.#read(keyOf('root', store), () => nodes.root(store)),
      child: (store, parent, name) =>
        this.#read(keyOf('child', store, parent, name), () => nodes.child(store, parent, name)),
      at: (store, names) => this.#read(keyOf('at', store, ...names), () => nodes.at(store, names)),
    };
  }

  /** The nodes of a unit that writes, whose changes are noted here. */
  writing(nodes: Nodes): Nodes {
    return {
      ...nodes,
      put: (node) => {
        this.#answers.note();
        return nodes.put(node);
      },
      remove: (store, id) => {
        this.#answers.note();
        return nodes.remove(store, id);
      },
    };
  }

  /** The answer as it is kept, or else the one that `lookUp` reads, which it has to do before it returns. */
  #read(key: string, lookUp: () => Promise<Node | undefined>): Promise<Node | undefined> {
    const kept = this.#answers.get(key);
    if (kept !== undefined) return kept;
    const answer = lookUp();
    this.#answers.set(key, answer);
    answer.catch(() => this.#answers.clear());
    return answer;
  }
}
