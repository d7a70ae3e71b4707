import { HttpLine, type RemoteRequest, type Way } from '../../ask-over-http.ts';
import { ConcurrencyLimiter, FirstComeFirstServed, QueueTimeout } from '../concurrency-limiter.ts';
import { VerifierUnavailable } from '../verifier.ts';

/** What the old server said to a login. */
export interface OldLogin {
  readonly status: number;
  /** The ticket that it gave; nothing when it refused. */
  readonly ticket: string | undefined;
}

/** A person of the old server, as far as it could be told. */
export interface OldPerson {
  readonly userName: string;
  readonly administrator: boolean;
  readonly guest: boolean;
}

/** Logins that are under way there at once, and that wait for it: it is neither flooded, nor are its clients. */
const AT_ONCE = 8;
const WAITING = 100;
/** Bytes of an answer that are read. */
const LONGEST = 65_536;

/** The answers by which it does not tell of a person, whenever it is asked. */
const UNTOLD = new Set([401, 403, 404]);

interface OldServerAnswer {
  readonly data?: { readonly ticket?: unknown };
  readonly userName?: unknown;
  readonly isAdminAuthority?: unknown;
  readonly capabilities?: { readonly isAdmin?: unknown; readonly isGuest?: unknown };
}

/** The server that this one replaces, asked as its clients do. */
export class OldServer {
  readonly #line: HttpLine;
  readonly #limiter: ConcurrencyLimiter;

  constructor(way: Omit<Way, 'connections' | 'longest'>) {
    this.#line = new HttpLine({ ...way, connections: AT_ONCE, longest: LONGEST });
    const limits = { atOnce: AT_ONCE, deadline: way.deadline };
    this.#limiter = new ConcurrencyLimiter(limits, new FirstComeFirstServed(WAITING));
  }

  /** Whether there is room beside the logins that wait for it. */
  get hasRoom(): boolean {
    return this.#limiter.running < AT_ONCE / 2;
  }

  /** Logs in there; throws {@link VerifierUnavailable} for any answer that is neither yes nor no. */
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
   * The person behind a ticket; nothing when the old server does not tell whether it is an administrator or the
   * guest. Throws {@link VerifierUnavailable} when it cannot answer. The ticket is left to expire: there, one ticket
   * may serve all applications of a user, and ending it would log the user out of them.
   */
  async person(userName: string, ticket: string): Promise<OldPerson | undefined> {
    const authorization = `Basic ${Buffer.from(`ROLE_TICKET:${ticket}`).toString('base64')}`;
    const path = `/service/api/people/${encodeURIComponent(userName)}`;
    const { status, body } = await this.#ask({ method: 'GET', path, authorization });
    if (status === 200 ? body === undefined : !UNTOLD.has(status))
      throw new VerifierUnavailable(
        `the old server answered for a person with ${status}${status === 200 ? ' and no JSON' : ''}`,
      );
    const { userName: name, capabilities, isAdminAuthority = false } = (body ?? {}) as OldServerAnswer;
    const told = [capabilities?.isAdmin, capabilities?.isGuest, isAdminAuthority];
    if (status !== 200 || typeof name !== 'string' || told.some((flag) => typeof flag !== 'boolean'))
      return undefined;
    const [administrator, guest, authority] = told as boolean[];
    return {
      userName: name,
      administrator: administrator === true || authority === true,
      guest: guest === true,
    };
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
