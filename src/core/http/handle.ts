import type { Answer } from '../answer.ts';
import { isRefusal, type Refusal, refuse } from '../domain/refusal.ts';
import type { Call, CallOutcome, Execute } from '../gate/call.ts';
import type { AnyOperation } from '../operation.ts';
import type { ClientAddresses } from './client-address.ts';
import { LONG, UnreadAnswers, VERY_LONG } from './connection-limits.ts';
import {
  addressedBy,
  arrivalOf,
  cookieFor,
  fromBrowser,
  presentedToGate,
  setCookie,
  setFurtherCookies,
} from './cookie.ts';
import { presentedIn } from './credentials.ts';
import { addressedHost, csrfFault } from './csrf.ts';
import { Downloads } from './downloads.ts';
import { namedHost, type ServedHosts } from './host.ts';
import type { HttpRequest, RequestHead, ResponseWriter } from './http-request.ts';
import { answerMounted, type MountedPart } from './mounted.ts';
import { type RefusalParts, sendRefusal } from './refusal.ts';
import { Bodies, type Body, isKept, isMatched, Reply, type ReplyParts, sendAnswer } from './reply.ts';
import { formArguments, membersInForm, readForm, readJson } from './request-body.ts';
import {
  type Arguments,
  type RefusedAt,
  type Resolution,
  type ResolvedRequest,
  resolveRequest,
  type Unresolved,
} from './resolve-request.ts';
import type { FindAny, FindRoute } from './routes.ts';
import { type CallInParts, Streams } from './streams.ts';

/** Headers that pages of allowed origins may send, besides the ones that any page may. */
const SENDABLE =
  'Authorization, Cache-Control, Content-Type, If-Match, If-None-Match, Last-Event-ID, X-CSRF-Token, X-HTTP-Method-Override, X-Requested-With';

/** A target that may lead to a page: the root, a path of the portal, or one that is written in another way. */
const MAY_BE_PAGE = /^\/(?:portal|%|\?|$)|^[^/]/;

/** What requests are handled with. */
export interface HandlerParts extends Omit<ReplyParts, 'isClosing'>, RefusalParts {
  readonly find: FindRoute;
  readonly findAny: FindAny;
  readonly handlers: ReadonlyMap<AnyOperation, Execute>;
  /** Loads the pages; undefined once they are loaded, and where there are none. */
  readonly loadPages: () => Promise<void> | undefined;
  readonly addresses: ClientAddresses;
  readonly hosts: ServedHosts;
  /** The parts that answer below a prefix by themselves. */
  readonly mounted: readonly MountedPart[];
  /** The header in which trusted proxies pass the URI of the request that they ask about; empty for none. */
  readonly gateUriHeader: string;
  /** The domain of the hosts that share a browser's ticket; empty for one host alone. */
  readonly cookieDomain: string;
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

/** Whether to refuse requests from pages of other sites: a browser may add a ticket to such a request by itself. */
const isChange = ({ authentication, method }: AnyOperation) => authentication === 'admin' && method !== 'GET';

/** What `If-Match` says of a state; undefined without that header. */
function matchIn({ headers }: RequestHead): Call['isMatch'] {
  const tags = headers['if-match'];
  return tags === undefined ? undefined : (representation, value) => isMatched(tags, representation, value);
}

/** The arguments of a stream. After a lost connection, the client names its last message in the header `Last-Event-ID`. */
function fromLastEvent(query: Call['query'], { headers }: RequestHead): Call['query'] {
  const last = headers['last-event-id'];
  return typeof last === 'string' && last !== '' ? { ...query, cursor: last } : query;
}

/** The user or the API key that a call was made by, for the limits of each. */
const callerOf = ({ record: { client, user = '' } }: Reply) => client ?? user;

/** Handles requests: from the bytes of a request to the gate, and from its outcome to the bytes of an answer. */
export class Handler {
  readonly #parts: HandlerParts;
  readonly #replyParts: ReplyParts;
  readonly #bodies = new Bodies();
  readonly #unread = new UnreadAnswers();
  readonly #streams: Streams;
  readonly #downloads: Downloads;

  constructor(parts: HandlerParts) {
    const { onAnswered, allowedOrigins, headers, onFault } = parts;
    this.#parts = parts;
    this.#replyParts = { onAnswered, allowedOrigins, headers, isClosing: false };
    this.#streams = new Streams(onFault);
    this.#downloads = new Downloads(onFault);
  }

  /** From now on each connection is closed after its next answer. Streams end now. */
  closeAfterAnswers(): void {
    this.#replyParts.isClosing = true;
    this.#streams.endAll();
  }

  /** Answers the request. Never rejects: a fault is reported and answered 500. */
  async handle(request: HttpRequest, writer: ResponseWriter): Promise<void> {
    const reply = new Reply(request, writer, this.#replyParts);
    try {
      if (MAY_BE_PAGE.test(request.originalUrl)) await this.#parts.loadPages();
      const form = formArguments(request);
      // Only a form in parts has to be waited for, and almost no request has one.
      const found = this.#resolve(request, form instanceof Promise ? await form : form);
      const { mounted } = this.#parts;
      if (!this.#isHostServed(request, found)) this.#refuseHost(reply, found);
      else if (mounted.length > 0 && (await answerMounted(mounted, reply, this.#parts))) return;
      else if ('methods' in found) this.#answerOptions(reply, found.methods);
      else if ('refusal' in found) this.#refuseUnresolved(reply, found);
      else this.#answer(reply, found, await this.#execute(reply, found));
    } catch (fault) {
      this.#parts.onFault(fault, request.id);
      this.#refuseFault(reply);
    }
  }

  /** Refuses a request that could not be read to its end, in the format that its path asks for. */
  refuse(request: HttpRequest, writer: ResponseWriter, refusal: Refusal): void {
    this.#refuse(new Reply(request, writer, this.#replyParts), refusal);
  }

  #refuse(reply: Reply, refusal: Refusal): void {
    const found = this.#resolve(reply.request);
    this.#sendRefusal(reply, refusal, 'methods' in found ? {} : found);
  }

  /** Answers a fault with a refusal. If that fails as well, only this connection is closed: the process has others to serve. */
  #refuseFault(reply: Reply): void {
    try {
      this.#refuse(reply, refuse('internal'));
    } catch (fault) {
      this.#parts.onFault(fault, reply.request.id);
      reply.request.raw.socket.destroy();
    }
  }

  /** Whether the host that the request names is served. A request without a host (HTTP/1.0) is: every browser names one. */
  #isHostServed({ originalUrl, raw }: HttpRequest, found: Resolution): boolean {
    const { hosts, addresses } = this.#parts;
    const isBehindProxy = addresses.isBehindProxy(raw);
    // A proxy that asks the gate sends the host of the service that it protects.
    const isGate = 'operation' in found && found.operation?.anyRequest !== undefined;
    if (isBehindProxy && (isGate || !hosts.areListed)) return true;
    const host = isBehindProxy ? addressedHost(originalUrl, raw, true) : namedHost(originalUrl, raw);
    if (host === undefined) return true;
    return host === '' ? raw.headers['x-forwarded-host'] === undefined : hosts.serves(host);
  }

  #refuseHost(reply: Reply, found: Resolution): void {
    this.#sendRefusal(reply, refuse('host_not_served'), 'methods' in found ? {} : found);
  }

  #refuseUnresolved(reply: Reply, unresolved: Unresolved): void {
    if (unresolved.allow !== undefined) reply.header('Allow', unresolved.allow);
    this.#sendRefusal(reply, unresolved.refusal, unresolved);
  }

  #sendRefusal(reply: Reply, refusal: Refusal, at: RefusedAt): void {
    reply.record.address ??= this.#parts.addresses.of(reply.request.raw);
    sendRefusal(reply, refusal, at, this.#parts);
  }

  #execute(reply: Reply, found: ResolvedRequest): Promise<CallOutcome> {
    const { request, record } = reply;
    const { operation, inUrl } = found;
    const call = this.#callOf(request, found);
    if (operation.api?.byCookie) reply.hideFromOtherOrigins();
    record.operation = operation.id;
    record.address = call.address;
    record.isLogin = operation.takesPassword !== undefined;
    record.passwordInUrl = operation.takesPassword === 'url' && inUrl.has('pw');
    const execute = this.#parts.handlers.get(operation) as Execute;
    return execute(call);
  }

  #answer(reply: Reply, found: ResolvedRequest, { result, user, digest, client }: CallOutcome): void {
    const { operation, format } = found;
    const { record } = reply;
    record.user = user;
    record.digest = digest;
    record.client = client;
    if (isRefusal(result)) {
      this.#sendRefusal(reply, result, found);
      return;
    }
    if (result.cookie !== undefined) this.#keepInCookie(reply, result.cookie);
    if (result.cookies !== undefined) this.#setCookies(reply, result.cookies);
    if (result.seeOther !== undefined) {
      reply.header('Location', result.seeOther).send(303);
      return;
    }
    if (operation.streams && reply.request.raw.method !== 'HEAD') {
      this.#openStream(reply, found, result);
      return;
    }
    if (operation.downloads && reply.request.raw.method !== 'HEAD') {
      this.#openDownload(reply, found, result);
      return;
    }
    const body = this.#bodies.of(operation, result, format, reply.request.raw.headers['accept-encoding']);
    if (body !== undefined && body.text.length > LONG && !this.#hasRoomFor(reply, body))
      this.#sendRefusal(reply, refuse('answers_unread', { retryAfter: 10 }), found);
    else sendAnswer(reply, body, operation, result);
  }

  #keepInCookie(reply: Reply, ticket: NonNullable<Answer<unknown>['cookie']>): void {
    const cookie = cookieFor(addressedBy(reply.request, this.#parts), this.#parts.cookieDomain);
    if (cookie !== undefined) reply.header('Set-Cookie', setCookie(cookie, ticket));
  }

  #setCookies(reply: Reply, cookies: NonNullable<Answer<unknown>['cookies']>): void {
    const addressed = addressedBy(reply.request, this.#parts);
    for (const each of setFurtherCookies(addressed, cookies)) reply.header('Set-Cookie', each);
  }

  #openStream(reply: Reply, found: ResolvedRequest, first: Answer<unknown>): void {
    const refusal = this.#replyParts.isClosing
      ? refuse('streams_full', { retryAfter: 10 })
      : this.#streams.refusalFor(callerOf(reply));
    if (refusal !== undefined) this.#sendRefusal(reply, refusal, found);
    else this.#streams.open(reply, found.operation, first, this.#partsOf(reply, found));
  }

  #openDownload(reply: Reply, found: ResolvedRequest, first: Answer<unknown>): void {
    const refusal = this.#downloads.refusalFor(callerOf(reply));
    if (refusal !== undefined) this.#sendRefusal(reply, refusal, found);
    else this.#downloads.open(reply, found, first, this.#partsOf(reply, found));
  }

  /** The caller, and the function that calls the operation again for the next part of its answer. */
  #partsOf(reply: Reply, found: ResolvedRequest): CallInParts {
    const execute = this.#parts.handlers.get(found.operation) as Execute;
    const call = this.#callOf(reply.request, found);
    const ask = (cursor: string) => execute({ ...call, query: { ...call.query, cursor }, goesOn: true });
    return { caller: callerOf(reply), ask };
  }

  /** Whether a long answer may be written to its address. Trusted proxies read what they ask for. */
  #hasRoomFor(reply: Reply, { text, etag }: Body): boolean {
    const { raw } = reply.request;
    const isWritten = raw.method !== 'HEAD' && !(etag && isKept(raw.headers['if-none-match'], etag));
    if (!isWritten || this.#parts.addresses.isBehindProxy(raw)) return true;
    const bytes = Buffer.byteLength(text);
    const hasRoom = this.#unread.take(reply.record.address ?? '', raw.socket, bytes);
    if (hasRoom && bytes > VERY_LONG) reply.closeAfter();
    return hasRoom;
  }

  #resolve(request: HttpRequest, form?: Arguments | Refusal): Resolution {
    return resolveRequest(request, form, this.#parts);
  }

  #callOf(request: HttpRequest, found: ResolvedRequest): Call {
    const { operation, match, target, query, inUrl } = found;
    const { id, raw } = request;
    return {
      requestId: id,
      basePath: match.basePath,
      template: match.template,
      path: match.path,
      query: operation.streams ? fromLastEvent(query, raw) : query,
      fromForm:
        operation.takesPassword === 'url' && raw.method === 'POST' && !inUrl.has('u') && !inUrl.has('pw'),
      body: () => bodyIn(request, found),
      acceptLanguage: raw.headers['accept-language'],
      userAgent: raw.headers['user-agent'],
      address: this.#parts.addresses.of(raw),
      isMatch: operation.ifMatch && matchIn(raw),
      ...(operation.anyRequest && this.#parts.proxyRequests?.partOfCall(request)),
      ...(operation.tellsArrival && { arrival: arrivalOf(request, this.#parts) }),
      ...(operation.api?.byCookie
        ? fromBrowser(request, this.#parts)
        : {
            presented: operation.ticketsOnly
              ? presentedToGate(request, this.#parts)
              : presentedIn(target.query.get('alf_ticket'), raw.headers.authorization),
            crossSite: this.#csrfFault(request, operation),
          }),
    };
  }

  #csrfFault({ originalUrl, raw }: HttpRequest, operation: AnyOperation): string | undefined {
    const { allowedOrigins, addresses } = this.#parts;
    if (operation.takesPassword === undefined && !operation.refusesCrossSite && !isChange(operation))
      return undefined;
    return csrfFault(originalUrl, raw, allowedOrigins, addresses.isBehindProxy(raw));
  }

  #answerOptions(reply: Reply, methods: string): void {
    if (reply.allowedOrigin !== undefined) {
      reply.header('Access-Control-Allow-Methods', methods);
      reply.header('Access-Control-Allow-Headers', SENDABLE);
      reply.header('Access-Control-Max-Age', '600');
    }
    reply.header('Allow', methods).send(204);
  }
}
