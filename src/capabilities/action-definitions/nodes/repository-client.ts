import { type Refusal, refuse } from '../../../core/domain/refusal.ts';
import { HttpClient } from '../../../core/http-client.ts';

/** An existing content repository, and the account that asks it. */
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

/** Most requests at a time: otherwise anybody could use up all connections of the repository. */
const AT_ONCE = 100;
/** Most bytes of an answer. A node with all its properties fits, and so does a list of constraints. */
const LONGEST = 1_048_576;
const UNAVAILABLE = refuse('nodes_unavailable', { retryAfter: 5 });
const BUSY = refuse('nodes_unavailable', {
  retryAfter: 5,
  reason: `${AT_ONCE} answers of the content repository are waited for already`,
});

/** Thrown if too many requests are open. It is not logged as a fault: a flood would fill the log. */
class TooManyAsked extends Error {}

/** Asks a content repository as one account. A late answer means unavailable, never absent. */
export class RepositoryClient {
  readonly #parts: RepositoryParts;
  readonly #line: HttpClient;
  readonly #authorization: string;
  #underWay = 0;

  constructor(parts: RepositoryParts) {
    const { url, deadline } = parts;
    this.#parts = parts;
    this.#line = new HttpClient({ url, deadline, connections: AT_ONCE, longest: LONGEST });
    this.#authorization = `Basic ${Buffer.from(`${parts.user}:${parts.password}`).toString('base64')}`;
  }

  /** The answer to a GET of this path below the URL. Throws if it comes too late, or if too many requests are open. */
  async get(path: string): Promise<{ readonly status: number; readonly body: unknown }> {
    if (this.#underWay >= AT_ONCE) throw new TooManyAsked();
    this.#underWay += 1;
    try {
      const answer = await this.#line.ask({ method: 'GET', path, authorization: this.#authorization });
      if (answer.status === 401)
        this.#parts.onFault(new Error('the content repository refuses the account that asks it (401)'));
      return answer;
    } finally {
      this.#underWay -= 1;
    }
  }

  /** The refusal for what {@link get} or the reader of its answer threw. Reports it. */
  unavailable(fault: unknown): Refusal<'nodes_unavailable'> {
    if (fault instanceof TooManyAsked) return BUSY;
    const { url, onFault } = this.#parts;
    onFault(new Error(`the content repository at ${url} cannot answer`, { cause: fault }));
    return UNAVAILABLE;
  }
}
