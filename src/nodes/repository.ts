import { LRUCache } from 'lru-cache';
import { type Node, type NodeReference, nodeName, SPACES_STORE } from '../domain/node.ts';
import { refuse } from '../domain/refusal.ts';
import { HttpClient } from '../http-client.ts';
import { type NodeRefusal, pathNotFound, type RemoteNodes } from './locate.ts';

/** An existing content repository, asked over its v1 REST API. */
interface RepositoryParts {
  /** Such as `https://content.example.org/alfresco`. */
  readonly url: string;
  /** The account for the requests. Every user of this service can learn what it may see. */
  readonly user: string;
  readonly password: string;
  /** Milliseconds for one answer. */
  readonly deadline: number;
  /** Called with the reason if the repository could not answer, or refused the account. */
  readonly onFault: (fault: unknown) => void;
}

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
/** Most requests at a time: otherwise anybody could use up all connections of the repository. */
const AT_ONCE = 100;
/** Most bytes of an answer. A node with all its properties fits. */
const LONGEST = 1_048_576;
const NODES = '/api/-default-/public/alfresco/versions/1/nodes';
const ROOT = '/-root-';
const UNAVAILABLE = refuse('nodes_unavailable', { retryAfter: 5 });
const BUSY = refuse('nodes_unavailable', {
  retryAfter: 5,
  reason: `${AT_ONCE} answers of the content repository are waited for already`,
});

/** Names that the repository would not take literally: path steps, two names in one, and its own aliases. */
const isNoName = (text: string) => text === '' || text === '.' || text === '..' || text.includes('/');
const isNoId = (text: string) => text === '.' || text === '..' || /^-.*-$/s.test(text);

function isEntry(value: unknown): value is Entry {
  const entry = value as Partial<Entry> | undefined;
  return [entry?.id, entry?.name, entry?.nodeType].every((field) => typeof field === 'string');
}

/** Thrown if too many requests are open. It is not logged as a fault: a flood would fill the log. */
class TooManyAsked extends Error {}

/** Looks up nodes in a content repository. A late answer means unavailable, never absent. */
export class RepositoryNodes implements RemoteNodes {
  readonly #parts: RepositoryParts;
  readonly #line: HttpClient;
  readonly #authorization: string;
  readonly #kept = new LRUCache<string, Promise<Entry | undefined>>(KEPT);
  #underWay = 0;

  constructor(parts: RepositoryParts) {
    const { url, deadline } = parts;
    this.#parts = parts;
    this.#line = new HttpClient({ url, deadline, connections: AT_ONCE, longest: LONGEST });
    this.#authorization = `Basic ${Buffer.from(`${parts.user}:${parts.password}`).toString('base64')}`;
  }

  async locate(reference: NodeReference): Promise<Node | NodeRefusal> {
    if (reference.store !== SPACES_STORE) return refuse('store_not_found', { detail: reference.store });
    try {
      if ('root' in reference) return await this.#root();
      return 'id' in reference ? await this.#byId(reference.id) : await this.#byPath(reference.path);
    } catch (fault) {
      if (fault instanceof TooManyAsked) return BUSY;
      const { url, onFault } = this.#parts;
      onFault(new Error(`the content repository at ${url} cannot answer`, { cause: fault }));
      return UNAVAILABLE;
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
    const kept = this.#kept.get(place);
    if (kept !== undefined) return kept;
    if (this.#underWay >= AT_ONCE) return Promise.reject(new TooManyAsked());
    this.#underWay += 1;
    const asked = this.#ask(place).finally(() => {
      this.#underWay -= 1;
    });
    this.#kept.set(place, asked);
    asked.catch(() => this.#kept.delete(place));
    return asked;
  }

  async #ask(place: string): Promise<Entry | undefined> {
    const { status, body } = await this.#line.ask({
      method: 'GET',
      path: NODES + place,
      authorization: this.#authorization,
    });
    if (status === 400 && place !== ROOT) {
      // 400 means that no node can have this id or path. If the root gets 400 too, the repository itself is at fault.
      await this.#entry(ROOT);
      return undefined;
    }
    if ([401, 403, 404].includes(status)) {
      if (status === 401)
        this.#parts.onFault(new Error('the content repository refuses the account that asks it (401)'));
      return undefined;
    }
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
