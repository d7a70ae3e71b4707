import { HttpClient, type HttpClientOptions, type RemoteRequest } from '../../../core/http-client.ts';
import {
  ConcurrencyLimiter,
  FirstComeFirstServed,
  QueueTimeout,
} from '../../../core/identity/concurrency-limiter.ts';
import { VerifierUnavailable } from '../../../core/identity/verifiers/verifier.ts';
import { type OldPerson, oldPersonIn } from './old-person.ts';

/** The answer of the old server to a login. */
export interface OldLogin {
  readonly status: number;
  /** The ticket it issued; undefined if it refused. */
  readonly ticket: string | undefined;
}

/** How many logins are in flight to the old server, and how many wait, so that neither it nor its other clients suffer. */
const AT_ONCE = 8;
const WAITING = 100;
/** How many bytes of an answer are read at most: a person may have a thousand groups. */
const LONGEST = 1_048_576;

/** The statuses by which it refuses to describe a person, now and later. */
const UNTOLD = new Set([401, 403, 404]);

interface OldServerAnswer {
  readonly data?: { readonly ticket?: unknown };
}

/** A client of the server that this one replaces. It uses the same requests as other clients. */
export class OldServer {
  readonly #line: HttpClient;
  readonly #limiter: ConcurrencyLimiter;

  constructor(way: Omit<HttpClientOptions, 'connections' | 'longest'>) {
    this.#line = new HttpClient({ ...way, connections: AT_ONCE, longest: LONGEST });
    const limits = { atOnce: AT_ONCE, deadline: way.deadline };
    this.#limiter = new ConcurrencyLimiter(limits, new FirstComeFirstServed(WAITING));
  }

  /** Whether it has room for requests whose answer no login waits for. */
  get hasRoom(): boolean {
    return this.#limiter.running < AT_ONCE / 2;
  }

  /** Logs in. Throws {@link VerifierUnavailable} for an answer that neither accepts nor refuses. */
  async logIn(username: string, password: string): Promise<OldLogin> {
    const body = JSON.stringify({ username, password });
    const { status, body: answer } = await this.#ask({ method: 'POST', path: '/service/api/login', body });
    if (status === 401 || status === 403) return { status, ticket: undefined };
    const ticket = (answer as OldServerAnswer | undefined)?.data?.ticket;
    if (status === 200 && typeof ticket === 'string') return { status, ticket };
    throw new VerifierUnavailable(
      `the old server answered a login with ${status}${status === 200 ? ' and no ticket' : ''}`,
    );
  }

  /**
   * The person that a ticket belongs to. Undefined if the old server does not tell whether the person is an administrator
   * or the guest. Throws {@link VerifierUnavailable} if it does not answer. The ticket is left to expire: one ticket may
   * serve all applications of a user there, so a logout would end them all.
   */
  async person(userName: string, ticket: string): Promise<OldPerson | undefined> {
    const authorization = `Basic ${Buffer.from(`ROLE_TICKET:${ticket}`).toString('base64')}`;
    const path = `/service/api/people/${encodeURIComponent(userName)}?groups=true`;
    const { status, body } = await this.#ask({ method: 'GET', path, authorization });
    if (status === 200 ? body === undefined : !UNTOLD.has(status))
      throw new VerifierUnavailable(
        `the old server answered for a person with ${status}${status === 200 ? ' and no JSON' : ''}`,
      );
    return status === 200 ? oldPersonIn(body) : undefined;
  }

  close(): void {
    this.#line.close();
  }

  async #ask(question: RemoteRequest) {
    try {
      return await this.#limiter.run(() => this.#line.ask(question));
    } catch (error) {
      const why = error instanceof QueueTimeout ? 'too many logins wait for it' : (error as Error).message;
      throw new VerifierUnavailable(`the old server does not answer: ${why}`, { cause: error });
    }
  }
}
