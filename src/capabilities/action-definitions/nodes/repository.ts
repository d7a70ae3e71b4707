import { LRUCache } from 'lru-cache';
import { refuse } from '../../../core/domain/refusal.ts';
import { type Node, type NodeReference, nodeName, SPACES_STORE } from '../domain/node.ts';
import { type NodeRefusal, pathNotFound } from './locate.ts';
import type { RepositoryClient } from './repository-client.ts';

interface Entry {
  readonly id: string;
  readonly name: string;
  readonly nodeType: string;
}

/** Limits of the cache: answers, characters of the requests, and milliseconds. */
const KEPT = {
  max: 10_000,
  maxSize: 4_000_000,
  sizeCalculation: (_: unknown, place: string) => place.length,
  ttl: 5_000,
};
const NODES = '/api/-default-/public/alfresco/versions/1/nodes';
const ROOT = '/-root-';

/** Names that the repository would not take literally: path steps, two names in one, and its own aliases. */
const isNoName = (text: string) => text === '' || text === '.' || text === '..' || text.includes('/');
const isNoId = (text: string) => text === '.' || text === '..' || /^-.*-$/s.test(text);

function isEntry(value: unknown): value is Entry {
  const entry = value as Partial<Entry> | undefined;
  return [entry?.id, entry?.name, entry?.nodeType].every((field) => typeof field === 'string');
}

/**
 * Looks up nodes in a content repository that has them in place of the store, over its v1 REST API. It is asked before the
 * transaction, since it may be slow.
 */
export class RepositoryNodes {
  readonly #repository: RepositoryClient;
  readonly #kept = new LRUCache<string, Promise<Entry | undefined>>(KEPT);

  constructor(repository: RepositoryClient) {
    this.#repository = repository;
  }

  async locate(reference: NodeReference): Promise<Node | NodeRefusal> {
    if (reference.store !== SPACES_STORE) return refuse('store_not_found', { detail: reference.store });
    try {
      if ('root' in reference) return await this.#root();
      return 'id' in reference ? await this.#byId(reference.id) : await this.#byPath(reference.path);
    } catch (fault) {
      return this.#repository.unavailable(fault);
    }
  }

  async #byId(id: string): Promise<Node | NodeRefusal> {
    const entry = isNoId(id) ? undefined : await this.#entry(`/${encodeURIComponent(id)}`);
    return entry === undefined ? refuse('node_not_found', { detail: id }) : nodeOf(entry);
  }

  async #root(): Promise<Node | NodeRefusal> {
    const entry = await this.#entry(ROOT);
    return entry === undefined ? refuse('node_not_found', { detail: '-root-' }) : nodeOf(entry);
  }

  async #byPath(path: readonly string[]): Promise<Node | NodeRefusal> {
    const [first = '', ...names] = path;
    const root = await this.#entry(ROOT);
    if (root === undefined || nodeName(root.name) !== nodeName(first)) return pathNotFound(path, 0);
    const entry = names.length === 0 ? root : await this.#below(names);
    return entry === undefined ? refuse('path_not_found', { detail: path.join('/') }) : nodeOf(entry);
  }

  /** The node at this path of names. Its names match as they were sent, or composed (NFC). */
  async #below(names: readonly string[]): Promise<Entry | undefined> {
    if (names.some(isNoName)) return undefined;
    const placeOf = (spelt: readonly string[]) =>
      `${ROOT}?relativePath=${spelt.map(encodeURIComponent).join('/')}`;
    const [sent, composed] = [placeOf(names), placeOf(names.map(nodeName))];
    const entry = await this.#entry(sent);
    return entry === undefined && composed !== sent ? this.#entry(composed) : entry;
  }

  /**
   * The answer for this place, cached for a moment and shared by callers that ask at the same time. Faults are not
   * cached.
   */
  #entry(place: string): Promise<Entry | undefined> {
    const cached = this.#kept.get(place);
    if (cached !== undefined) return cached;
    const pending = this.#ask(place);
    this.#kept.set(place, pending);
    pending.catch(() => this.#kept.delete(place));
    return pending;
  }

  async #ask(place: string): Promise<Entry | undefined> {
    const { status, body } = await this.#repository.get(NODES + place);
    if (status === 400 && place !== ROOT) {
      // 400 means that no node can have this id or path. If the root gets 400 too, the repository itself is at fault.
      await this.#entry(ROOT);
      return undefined;
    }
    if ([401, 403, 404].includes(status)) return undefined;
    if (status !== 200) throw new Error(`it answered ${status}`);
    const { entry } = (body ?? {}) as { entry?: unknown };
    if (!isEntry(entry)) throw new Error('it answered with no node');
    const { id, name, nodeType } = entry;
    // Copies the three members: the whole entry may be large, and the cache keeps it.
    return { id, name, nodeType };
  }
}

function nodeOf({ id, name, nodeType }: Entry): Node {
  return { store: SPACES_STORE, id, type: nodeType, name };
}
