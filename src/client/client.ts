import { Unreadable } from './failures.ts';
import {
  ACTION_DEFINITIONS,
  CONSTRAINT,
  CONSTRAINTS,
  LOGIN,
  LOGOUT,
  VALIDATE,
  VALIDATE_ACTION,
} from './routes.ts';
import {
  type CallOptions,
  type ClientOptions,
  type Outgoing,
  type SendOptions,
  send,
  sendOptions,
} from './send.ts';
import type {
  Code,
  Credentials,
  ListedActionDefinition,
  ListedConstraint,
  ParameterValues,
  TicketGiven,
  Validation,
} from './shapes.ts';
import { baseOf, fill } from './target.ts';

/** What a list of action definitions is for: everything, one node, or the node at a path. */
type Scope =
  | { readonly node?: never; readonly path?: never }
  /** Store and id, such as `workspace://SpacesStore/company-home`. */
  | { readonly node: string; readonly path?: never }
  /**
   * Names from the root: `Company Home/Sites`, or an array if a name has a slash in it. `store` is
   * `workspace://SpacesStore` by default.
   */
  | { readonly node?: never; readonly path: string | readonly string[]; readonly store?: string };

const STORE = /^([^:/]+):\/\/([^/]+)$/;
const NODE = /^([^:/]+:\/\/[^/]+)\/(.+)$/s;

function storeOf(store: string): { store_type: string; store_id: string } {
  const [, store_type, store_id] = STORE.exec(store) ?? [];
  if (store_type === undefined || store_id === undefined)
    throw new TypeError(`"${store}" is no store: write one such as workspace://SpacesStore`);
  return { store_type, store_id };
}

/** Store and id of a node. Throws a TypeError if the text does not name one. */
function partsOfNode(node: string): { readonly store: string; readonly id: string } {
  const [, store = '', id] = NODE.exec(node) ?? [];
  if (id === undefined)
    throw new TypeError(`"${node}" is no node: write one such as workspace://SpacesStore/company-home`);
  return { store, id };
}

/** The path of the request for this scope. Throws a TypeError if the scope cannot be asked for. */
function pathOf(scope: Scope): string {
  if (scope.node !== undefined && scope.path !== undefined)
    throw new TypeError('Give a node or a path, not both');
  if (scope.node !== undefined) {
    const { store, id } = partsOfNode(scope.node);
    return fill(ACTION_DEFINITIONS.node.path, { ...storeOf(store), id: id.split('/') });
  }
  if (scope.path === undefined) return ACTION_DEFINITIONS.all.path;
  const { path, store = 'workspace://SpacesStore' } = scope;
  const names = typeof path === 'string' ? path.split('/').filter((name) => name !== '') : path;
  if (names.length === 0)
    throw new TypeError("The path holds no name: begin with the root's, such as Company Home");
  return fill(ACTION_DEFINITIONS.path.path, { ...storeOf(store), id: names });
}

export { Refused, Unreachable, Unreadable } from './failures.ts';
export type {
  CallOptions,
  ClientOptions,
  Code,
  Credentials,
  ListedActionDefinition as ActionDefinition,
  ListedConstraint as Constraint,
  ParameterValues,
  Scope,
  TicketGiven,
  Validation,
};

/** Options of a list of action definitions, or of constraints. */
export interface ListOptions extends CallOptions {
  /** The languages of titles, descriptions and labels, in the form of `Accept-Language`. */
  readonly language?: string;
}

/** Options of a validation. */
export interface ValidationOptions extends CallOptions {
  /** The node that the action is for: store and id, such as `workspace://SpacesStore/company-home`. */
  readonly node?: string;
}

/** Prefers the error document that names its code (RFC 9457). */
const ACCEPT = { accept: 'application/json, application/problem+json' };

/** A password, and the same as JSON writes it. */
function formsOf(password: string | undefined): readonly string[] {
  return password ? [password, JSON.stringify(password).slice(1, -1)] : [];
}

/**
 * The header for these languages. Throws for a text that no header can hold: `fetch` would report it like a network
 * error.
 */
function headersFor(language: string | undefined): Readonly<Record<string, string>> {
  if (language === undefined) return {};
  if (!/^[ -~]*$/.test(language))
    throw new TypeError(`"${language}" is no language: write a tag such as de, or de-CH, en;q=0.5`);
  return { 'accept-language': language };
}

/**
 * Calls a server of this API. Each call returns its value, or throws: `Refused` if the server says no, `Unreachable` if
 * no answer comes, `Unreadable` if the answer is not of this API, and the reason of the signal that ended it (a
 * `TimeoutError` if it took longer than `timeout`). Reads are tried up to three times while the server is unavailable.
 * A login, a logout and a validation of an action are sent once.
 */
export class Client {
  readonly #base: string;
  readonly #options: SendOptions;

  /** `base` is the address of the operations, such as `https://host/alfresco/service`. */
  constructor(base: string | URL, options: ClientOptions = {}) {
    this.#base = baseOf(base);
    this.#options = sendOptions(options);
  }

  /** Logs in by POST and returns a new ticket. */
  async login(credentials: Credentials, { signal }: CallOptions = {}): Promise<TicketGiven> {
    const headers = { ...ACCEPT, 'content-type': 'application/json' };
    const body = JSON.stringify(credentials);
    const secrets = formsOf(credentials.password);
    const outgoing = { ...LOGIN, url: this.#base + LOGIN.path, headers, body, secrets };
    return (await send(outgoing, this.#options, signal)).data;
  }

  /** The calls that need a ticket, with this one. */
  withTicket(ticket: string): ClientWithTicket {
    return new ClientWithTicket(ticket, this.#base, this.#options);
  }
}

/** Makes calls with one ticket, as {@link Client} does. */
export class ClientWithTicket {
  readonly #ticket: string;
  readonly #base: string;
  readonly #options: SendOptions;
  readonly #credential: string;

  constructor(ticket: string, base: string, options: SendOptions) {
    if (!/^[!-~]+$/.test(ticket))
      throw new TypeError('The ticket is no ticket: give the one that login() gave');
    this.#ticket = ticket;
    this.#base = base;
    this.#options = options;
    // Every server of this API accepts this form.
    this.#credential = btoa(`ROLE_TICKET:${ticket}`);
  }

  /** Returns the ticket if it is live. Throws `Refused` with status 401 if it is not. */
  async validate({ signal }: CallOptions = {}): Promise<TicketGiven> {
    const path = fill(VALIDATE.path, { ticket: this.#ticket });
    const { data } = await this.#send({ ...VALIDATE, url: `${path}?format=json` }, signal);
    if (data.ticket !== this.#ticket) throw new Unreadable('The answer is about another ticket');
    return data;
  }

  /**
   * Ends the ticket. Throws `Refused` with status 401 if it was dead already. After `Unreachable`, call it again: 401
   * then means that the first call ended it.
   */
  async logout({ signal }: CallOptions = {}): Promise<void> {
    const path = fill(LOGOUT.path, { ticket: this.#ticket });
    await this.#send({ ...LOGOUT, url: `${path}?format=json` }, signal);
  }

  /** Returns all action definitions, or only the ones that apply to a node. */
  async actionDefinitions(
    scope: Scope = {},
    { signal, language }: ListOptions = {},
  ): Promise<readonly ListedActionDefinition[]> {
    const { method, answers } = ACTION_DEFINITIONS.all;
    return this.#send({ method, answers, url: pathOf(scope), headers: headersFor(language) }, signal);
  }

  /** Returns whether an action with these parameter values is valid, and every fault if it is not. */
  async validateAction(
    name: string,
    parameterValues: ParameterValues = {},
    { signal, node }: ValidationOptions = {},
  ): Promise<Validation> {
    if (node !== undefined) partsOfNode(node);
    const path = fill(VALIDATE_ACTION.path, { actionDefinitionName: name });
    const url = node === undefined ? path : `${path}?node=${encodeURIComponent(node)}`;
    const headers = { 'content-type': 'application/json' };
    const body = JSON.stringify({ parameterValues });
    return this.#send({ ...VALIDATE_ACTION, url, headers, body }, signal);
  }

  /** Returns every constraint of action parameters with the values that it allows. */
  async constraints({ signal, language }: ListOptions = {}): Promise<readonly ListedConstraint[]> {
    const headers = headersFor(language);
    return (await this.#send({ ...CONSTRAINTS, url: CONSTRAINTS.path, headers }, signal)).data;
  }

  /** Returns one constraint. Throws `Refused` with status 404 if the name is unknown. */
  async constraint(name: string, { signal, language }: ListOptions = {}): Promise<ListedConstraint> {
    const headers = headersFor(language);
    const url = fill(CONSTRAINT.path, { name });
    return (await this.#send({ ...CONSTRAINT, url, headers }, signal)).data;
  }

  #send<A>(
    call: Pick<Outgoing<A>, 'method' | 'url' | 'answers'> & Partial<Outgoing<A>>,
    signal: AbortSignal | undefined,
  ): Promise<A> {
    const url = this.#base + call.url;
    const headers = { ...ACCEPT, ...call.headers, authorization: `Basic ${this.#credential}` };
    return send({ ...call, url, headers, secrets: [this.#credential] }, this.#options, signal);
  }
}
