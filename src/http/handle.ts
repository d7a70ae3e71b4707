import { isRefusal, type Refusal, refuse } from '../domain/refusal.ts';
import type { Call } from '../gate/call.ts';
import type { CallOutcome, Execute } from '../gate/execute.ts';
import type { AnyOperation } from '../operation.ts';
import { type RefusedAt, sendAnswer, sendRefusal } from './answer.ts';
import type { FindAny } from './any-request.ts';
import { Bodies, type Body, isKept } from './bodies.ts';
import { readJson } from './body.ts';
import type { ClientAddresses } from './client-address.ts';
import { presentedIn, ticketsInUri } from './credentials.ts';
import { addressedHost, csrfFault } from './csrf.ts';
import { readForm } from './form.ts';
import { formArguments, membersInForm } from './form-arguments.ts';
import { namedHost } from './host.ts';
import type { HttpRequest } from './http-request.ts';
import type { Reply } from './reply.ts';
import { type ResolvedRequest, resolveRequest, type Unresolved } from './resolve-request.ts';
import type { FindRoute } from './routes.ts';
import type { ServedHosts } from './served-hosts.ts';
import type { Arguments } from './target.ts';
import { LONG, UnreadAnswers } from './unread-answers.ts';

/** What pages of allowed origins may send, beside what any page may. */
const SENDABLE =
  'Authorization, Cache-Control, Content-Type, If-None-Match, X-CSRF-Token, X-HTTP-Method-Override, X-Requested-With';

/** What requests are handled with. */
export interface HandlerParts {
  readonly find: FindRoute;
  readonly findAny: FindAny;
  readonly ways: ReadonlyMap<AnyOperation, Execute>;
  readonly addresses: ClientAddresses;
  readonly hosts: ServedHosts;
  readonly allowedOrigins: readonly string[];
  /** The header in which trusted proxies tell the URI of a request that they ask about; empty for none. */
  readonly gateUriHeader: string;
  readonly clock: () => number;
  /** How the service signs its status documents. */
  readonly signature: string;
  readonly onFault: (fault: unknown, requestId: string) => void;
}

/** The body as its operation reads it. */
function bodyIn(
  { raw, body }: HttpRequest,
  { operation, form, target }: ResolvedRequest,
): ReturnType<Call['body']> {
  if (operation.bodyStyle === 'form') return readForm(body);
  const members = membersInForm(operation.formMembers ?? {}, form, target.query);
  return members ?? readJson(body, raw.headersDistinct['content-type']?.[0]);
}

/** Handles requests: from the bytes of a request to the gate, and from its outcome to the bytes of an answer. */
export class Handler {
  readonly #parts: HandlerParts;
  readonly #bodies = new Bodies();
  readonly #unread = new UnreadAnswers();

  constructor(parts: HandlerParts) {
    this.#parts = parts;
  }

  /** Answers the request, whatever comes of it. */
  async handle(reply: Reply): Promise<void> {
    try {
      const form = formArguments(reply.request);
      // Nearly always there is none, and nothing to wait for.
      const found = this.#find(reply.request, form instanceof Promise ? await form : form);
      if (!this.#isServed(reply.request, found)) this.#refuseHost(reply, found);
      else if ('methods' in found) this.#options(reply, found.methods);
      else if ('refusal' in found) this.#sendAstray(reply, found);
      else this.#answer(reply, found, await this.#execute(reply, found));
    } catch (fault) {
      this.#parts.onFault(fault, reply.request.id);
      this.#refuseOrCut(reply);
    }
  }

  /** Whether the host that the request names is served. One without a host (HTTP/1.0) is: every browser names one. */
  #isServed({ originalUrl, raw }: HttpRequest, found: ReturnType<typeof resolveRequest>): boolean {
    const { hosts, addresses } = this.#parts;
    const isBehindProxy = addresses.isBehindProxy(raw);
    // What a proxy asks the gate names the host of the service that the proxy protects.
    const isGate = 'operation' in found && found.operation?.anyRequest === true;
    if (isBehindProxy && (isGate || !hosts.areListed)) return true;
    const host = isBehindProxy ? addressedHost(originalUrl, raw, true) : namedHost(originalUrl, raw);
    if (host === undefined) return true;
    return host === '' ? raw.headers['x-forwarded-host'] === undefined : hosts.serves(host);
  }

  #refuseHost(reply: Reply, found: ReturnType<typeof resolveRequest>): void {
    this.#sendRefusal(reply, refuse('host_not_served'), 'methods' in found ? {} : found);
  }

  /** Refuses a request that could not be read to its end, in the format of where it leads. */
  refuse(reply: Reply, refusal: Refusal): void {
    const found = this.#find(reply.request);
    this.#sendRefusal(reply, refusal, 'methods' in found ? {} : found);
  }

  /** Refuses after a fault. Where that fails as well, the connection alone ends: the process has others to serve. */
  #refuseOrCut(reply: Reply): void {
    try {
      this.refuse(reply, refuse('internal'));
    } catch (fault) {
      this.#parts.onFault(fault, reply.request.id);
      reply.request.raw.socket.destroy();
    }
  }

  #sendAstray(reply: Reply, astray: Unresolved): void {
    if (astray.allow !== undefined) reply.header('Allow', astray.allow);
    this.#sendRefusal(reply, astray.refusal, astray);
  }

  #sendRefusal(reply: Reply, refusal: Refusal, at: RefusedAt): void {
    reply.told.address ??= this.#parts.addresses.of(reply.request.raw);
    const { clock, signature } = this.#parts;
    sendRefusal(reply, refusal, at, { now: clock(), signature });
  }

  #execute({ request, told }: Reply, found: ResolvedRequest): Promise<CallOutcome> {
    const { operation, inUrl } = found;
    const call = this.#call(request, found);
    told.operation = operation.id;
    told.address = call.address;
    told.isLogin = operation.takesPassword !== undefined;
    told.passwordInUrl = operation.takesPassword === 'url' && inUrl.has('pw');
    const execute = this.#parts.ways.get(operation) as Execute;
    return execute(call);
  }

  #answer(reply: Reply, found: ResolvedRequest, { result, user, digest, client }: CallOutcome): void {
    const { operation, format } = found;
    const { told } = reply;
    told.user = user;
    told.digest = digest;
    told.client = client;
    if (isRefusal(result)) {
      this.#sendRefusal(reply, result, found);
      return;
    }
    const body = this.#bodies.of(operation, result, format, reply.request.raw.headers['accept-encoding']);
    if (body !== undefined && body.text.length > LONG && !this.#hasRoomFor(reply, body))
      this.#sendRefusal(reply, refuse('answers_unread', { retryAfter: 10 }), found);
    else sendAnswer(reply, body, operation, result);
  }

  /** Whether a long answer may be written to its address. Trusted proxies read what they ask for. */
  #hasRoomFor({ request, told }: Reply, { text, etag }: Body): boolean {
    const { raw } = request;
    const isWritten = raw.method !== 'HEAD' && !(etag && isKept(raw.headers['if-none-match'], etag));
    if (!isWritten || this.#parts.addresses.isBehindProxy(raw)) return true;
    return this.#unread.take(told.address ?? '', raw.socket, Buffer.byteLength(text));
  }

  #find(request: HttpRequest, form?: Arguments | Refusal): ReturnType<typeof resolveRequest> {
    return resolveRequest(request, form, this.#parts);
  }

  #call(request: HttpRequest, found: ResolvedRequest): Call {
    const { operation, match, target, query, inUrl } = found;
    const { id, raw } = request;
    const { addresses, allowedOrigins, gateUriHeader } = this.#parts;
    const tickets = operation.ticketsOnly
      ? ticketsInUri(addresses.isBehindProxy(raw) ? raw.headers[gateUriHeader] : undefined)
      : target.query.get('alf_ticket');
    return {
      requestId: id,
      basePath: match.basePath,
      template: match.template,
      path: match.path,
      query,
      fromForm:
        operation.takesPassword === 'url' && raw.method === 'POST' && !inUrl.has('u') && !inUrl.has('pw'),
      body: () => bodyIn(request, found),
      presented: presentedIn(tickets, raw.headers.authorization),
      acceptLanguage: raw.headers['accept-language'],
      address: addresses.of(raw),
      crossSite:
        operation.takesPassword === undefined
          ? undefined
          : csrfFault(request.originalUrl, raw, allowedOrigins, addresses.isBehindProxy(raw)),
    };
  }

  #options(reply: Reply, methods: string): void {
    if (reply.allowedOrigin !== undefined) {
      reply.header('Access-Control-Allow-Methods', methods);
      reply.header('Access-Control-Allow-Headers', SENDABLE);
      reply.header('Access-Control-Max-Age', '600');
    }
    reply.header('Allow', methods).send(204);
  }
}
