import { Unreadable } from './failures.ts';
import { ACTION_DEFINITIONS, LOGIN, LOGOUT, VALIDATE } from './routes.ts';
import { pathOf, type Scope } from './scope.ts';
import { type Outgoing, type SendOptions, send } from './send.ts';
import type { Code, Credentials, ListedActionDefinition, TicketGiven } from './shapes.ts';
import { baseOf, fill } from './target.ts';

export { Refused, Unreachable, Unreadable } from './failures.ts';
export type { Code, Credentials, ListedActionDefinition as ActionDefinition, Scope, TicketGiven };

/** What may differ from one call to the next. */
export interface CallOptions {
  /** Ends the call: it then throws the signal's reason. */
  readonly signal?: AbortSignal;
}

/** Of a client; durations in whole milliseconds, 24 days at most. `fetch` stands in for the platform's own. */
export type ClientOptions = { readonly [K in keyof SendOptions]?: SendOptions[K] | undefined };

/** What a list of action definitions may be asked with. */
export interface ListOptions extends CallOptions {
  /** The languages of titles and descriptions, as `Accept-Language` has them. */
  readonly language?: string;
}

/** Of two forms of an error the one that names its code (RFC 9457). */
const ACCEPT = { accept: 'application/json, application/problem+json' };

/** A password as it is, and as it stands in a body. */
function formsOf(password: string | undefined): readonly string[] {
  return password ? [password, JSON.stringify(password).slice(1, -1)] : [];
}

/** The header for these languages. What cannot stand in one would look like a fault of the network in `fetch`. */
function headersFor(language: string | undefined): Readonly<Record<string, string>> {
  if (language === undefined) return {};
  if (!/^[ -~]*$/.test(language))
    throw new TypeError(`"${language}" is no language: write a tag such as de, or de-CH, en;q=0.5`);
  return { 'accept-language': language };
}

/** The longest wait that timers hold: with a longer one they go off at once. */
const LONGEST = 2 ** 31 - 1;

function milliseconds(option: string, value: number, least: number): number {
  if (Number.isInteger(value) && value >= least && value <= LONGEST) return value;
  throw new TypeError(`${option} is ${value}: give whole milliseconds from ${least} to ${LONGEST}`);
}

/**
 * Calls a server of this API. Each call gives its value, or throws: `Refused` where the server says no,
 * `Unreachable` where there is no answer, `Unreadable` where the answer is none of this API's, and the reason of the
 * signal that ended it (a `TimeoutError` when it took longer than `timeout`). Reads are tried up to three times while
 * the server is unavailable; a login and a logout are sent once.
 */
export class Client {
  readonly #base: string;
  readonly #manner: SendOptions;

  /** `base` is where the operations are, such as `https://host/alfresco/service`. */
  constructor(
    base: string | URL,
    { fetch = globalThis.fetch, timeout = 30_000, patience = 5_000 }: ClientOptions = {},
  ) {
    this.#base = baseOf(base);
    this.#manner = {
      fetch,
      timeout: milliseconds('timeout', timeout, 1),
      patience: milliseconds('patience', patience, 0),
    };
  }

  /** Logs in by POST and gives a new ticket. */
  async login(credentials: Credentials, { signal }: CallOptions = {}): Promise<TicketGiven> {
    const headers = { ...ACCEPT, 'content-type': 'application/json' };
    const body = JSON.stringify(credentials);
    const secrets = formsOf(credentials.password);
    const outgoing = { ...LOGIN, url: this.#base + LOGIN.path, headers, body, secrets };
    return (await send(outgoing, this.#manner, signal)).data;
  }

  /** The calls that need a ticket, made with this one. */
  withTicket(ticket: string): ClientWithTicket {
    return new ClientWithTicket(ticket, this.#base, this.#manner);
  }
}

/** Makes calls with one ticket, as {@link Client} does. */
export class ClientWithTicket {
  readonly #ticket: string;
  readonly #base: string;
  readonly #manner: SendOptions;
  readonly #credential: string;

  constructor(ticket: string, base: string, manner: SendOptions) {
    if (!/^[!-~]+$/.test(ticket))
      throw new TypeError('The ticket is no ticket: give the one that login() gave');
    this.#ticket = ticket;
    this.#base = base;
    this.#manner = manner;
    // The one form that every server of this API takes.
    this.#credential = btoa(`ROLE_TICKET:${ticket}`);
  }

  /** Gives the ticket when it is live. Throws `Refused` with status 401 when it is not. */
  async validate({ signal }: CallOptions = {}): Promise<TicketGiven> {
    const path = fill(VALIDATE.path, { ticket: this.#ticket });
    const { data } = await this.#send({ ...VALIDATE, url: `${path}?format=json` }, signal);
    if (data.ticket !== this.#ticket) throw new Unreadable('The answer is about another ticket');
    return data;
  }

  /**
   * Ends the ticket. Throws `Refused` with status 401 when it was dead already. After `Unreachable`, call it again:
   * 401 means that the first call was carried out.
   */
  async logout({ signal }: CallOptions = {}): Promise<void> {
    const path = fill(LOGOUT.path, { ticket: this.#ticket });
    await this.#send({ ...LOGOUT, url: `${path}?format=json` }, signal);
  }

  /** The action definitions: all of them, or those that apply to a node. */
  async actionDefinitions(
    scope: Scope = {},
    { signal, language }: ListOptions = {},
  ): Promise<readonly ListedActionDefinition[]> {
    const { method, answers } = ACTION_DEFINITIONS.all;
    return this.#send({ method, answers, url: pathOf(scope), headers: headersFor(language) }, signal);
  }

  #send<A>(
    call: Pick<Outgoing<A>, 'method' | 'url' | 'answers'> & Partial<Outgoing<A>>,
    signal: AbortSignal | undefined,
  ): Promise<A> {
    const url = this.#base + call.url;
    const headers = { ...ACCEPT, ...call.headers, authorization: `Basic ${this.#credential}` };
    return send({ ...call, url, headers, secrets: [this.#credential] }, this.#manner, signal);
  }
}
