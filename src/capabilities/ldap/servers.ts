import type { BindOutcome } from './bind.ts';
import { ServerFault } from './connection.ts';
import { type DirectoryOptions, DirectoryUnavailable } from './options.ts';
import type { PasswordWrite, PasswordWriteOutcome } from './password-write.ts';
import { type DirectorySearch, DirectoryServer, type SearchAnswer } from './server.ts';

/** When a breaker opens, and for how long. */
interface BreakerRule {
  /** Failures in a row after which it opens. */
  readonly failures: number;
  /** Milliseconds. */
  readonly openFor: number;
}

/**
 * Keeps calls away from a server that fails. After some failures in a row it lets no call through for a while, then one as a
 * trial: if that succeeds, all are let through again.
 */
export class CircuitBreaker {
  readonly #rule: BreakerRule;
  readonly #now: () => number;
  #failures = 0;
  #openUntil = 0;
  #onTrial = false;

  /** `now` counts milliseconds and never goes back. */
  constructor(rule: BreakerRule, now: () => number = () => performance.now()) {
    this.#rule = rule;
    this.#now = now;
  }

  get #isOpen(): boolean {
    return this.#failures >= this.#rule.failures;
  }

  /** Whether a call may be made now. If so, call {@link succeeded} or {@link failed} after it. */
  tryAcquire(): boolean {
    if (!this.#isOpen) return true;
    if (this.#onTrial || this.#now() < this.#openUntil) return false;
    this.#onTrial = true;
    return true;
  }

  succeeded(): void {
    this.#failures = 0;
    this.#onTrial = false;
  }

  failed(): void {
    this.#failures += 1;
    this.#onTrial = false;
    if (this.#isOpen) this.#openUntil = this.#now() + this.#rule.openFor;
  }
}

/** After three failures in a row a server is not asked for ten seconds. */
const BREAKER = { failures: 3, openFor: 10_000 };

interface GuardedServer {
  readonly server: DirectoryServer;
  readonly breaker: CircuitBreaker;
  /** Why it did not answer the last time. */
  fault: string | undefined;
}

/** All servers of the directory. Each request goes to the first one that answers. */
export class DirectoryServers {
  readonly #servers: readonly GuardedServer[];
  readonly #onServer: DirectoryOptions['onServer'];
  readonly #onRequest: DirectoryOptions['onRequest'];

  constructor(options: DirectoryOptions) {
    this.#onServer = options.onServer;
    this.#onRequest = options.onRequest;
    this.#servers = options.servers.map((url) => ({
      server: new DirectoryServer(url, options),
      breaker: new CircuitBreaker(BREAKER),
      fault: undefined,
    }));
  }

  /** Throws {@link DirectoryUnavailable}, without asking while the circuit breakers of all servers are open. */
  search(search: DirectorySearch): Promise<SearchAnswer> {
    return this.#first((server) => server.search(search));
  }

  /** Binds as a person. Throws {@link DirectoryUnavailable}. */
  bind(dn: string, password: string): Promise<BindOutcome> {
    return this.#first((server) => server.bind(dn, password));
  }

  /** Writes a password. Throws {@link DirectoryUnavailable} if certainly nothing was written, and `OutcomeUnknown`. */
  setPassword(write: PasswordWrite): Promise<PasswordWriteOutcome> {
    return this.#first((server) => server.setPassword(write));
  }

  close(): void {
    for (const { server } of this.#servers) server.close();
  }

  async #first<T>(ask: (server: DirectoryServer) => Promise<T>): Promise<T> {
    for (const guarded of this.#servers) {
      if (!guarded.breaker.tryAcquire()) continue;
      try {
        const answer = await ask(guarded.server);
        this.#answered(guarded);
        this.#onRequest?.('answered');
        return answer;
      } catch (error) {
        guarded.breaker.failed();
        if (!(error instanceof ServerFault)) throw error;
        this.#failed(guarded, error.message);
        this.#onRequest?.('failed');
      }
    }
    this.#onRequest?.('unavailable');
    const faults = this.#servers.map(({ server, fault }) => `${server.url}: ${fault ?? 'it is on trial'}`);
    throw new DirectoryUnavailable(`no server of the directory can answer: ${faults.join('; ')}`);
  }

  #answered(guarded: GuardedServer): void {
    guarded.breaker.succeeded();
    if (guarded.fault !== undefined) this.#onServer(guarded.server.url, undefined);
    guarded.fault = undefined;
  }

  #failed(guarded: GuardedServer, fault: string): void {
    // Reported once, and not for each login.
    if (guarded.fault !== fault) this.#onServer(guarded.server.url, fault);
    guarded.fault = fault;
  }
}
