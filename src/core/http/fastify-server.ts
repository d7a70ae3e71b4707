import { type IncomingHttpHeaders, type IncomingMessage, METHODS, type Server } from 'node:http';
import type { Socket } from 'node:net';
import type { Writable } from 'node:stream';
import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import { type Refusal, refuse } from '../domain/refusal.ts';
import type { DropReason } from '../telemetry/dropped-connections.ts';
import { type ConnectionFaults, endUnread, lingerBehindLast, refusalOf } from './connection-faults.ts';
import { dropStalledReaders, noteAnswer, noteRequest } from './connection-limits.ts';
import type { Handler } from './handle.ts';
import { headFault } from './host.ts';
import type { HttpResponse, ResponseWriter } from './http-request.ts';
import { serveTls, type TlsParts, tlsOptions } from './tls/server.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** When reading the request began, by the monotonic clock, in milliseconds. */
    began: number;
  }
}

/** Limits of requests and connections, as they are set: in bytes and milliseconds. */
interface ServerLimits {
  readonly bodyLimit: number;
  readonly requestDeadline: number;
  readonly connections: number;
  readonly connectionsPerAddress: number;
}

/** What fastify is created with. */
export interface FastifyParts {
  readonly limits: ServerLimits;
  readonly nextRequestId: () => string;
  /** Called for each connection that is closed because a limit is reached, with the limit and, if known, the address. */
  readonly onDropped: (reason: DropReason, address?: string) => void;
  readonly onFault: (fault: unknown, requestId: string) => void;
  /** The certificate, if the port speaks TLS. */
  readonly tls?: TlsParts | undefined;
}

/** Bytes of a request header; the URL is a part of it. */
const HEADER_LIMIT = 16_384;
/** Fields of a request header. Node counts only the bytes of names and values, not those around them. */
const MOST_FIELDS = 1_000;
/**
 * Milliseconds that an idle connection is kept. Longer than the keep-alive of usual proxies, so that a proxy never writes
 * into a closed connection.
 */
export const KEEP_ALIVE = 72_000;

/** fastify checks and writes nothing by schemas here. Without this it loads two compilers for them at each start. */
const NO_SCHEMAS = {
  compilersFactory: { buildValidator: () => unused, buildSerializer: () => unused },
};

function unused(): never {
  throw new Error('no route here has a schema of its own');
}

/** Creates the fastify server: it reads requests within their limits, and has `handler` answer them. */
export function createFastifyServer(
  parts: FastifyParts,
  handler: Handler,
  faults: ConnectionFaults,
): FastifyInstance {
  const { limits, nextRequestId, onDropped, tls } = parts;
  const http = httpOptions(limits);
  const server = fastify({
    bodyLimit: limits.bodyLimit,
    requestTimeout: limits.requestDeadline,
    keepAliveTimeout: KEEP_ALIVE,
    http,
    ...(tls && { https: { ...http, ...tlsOptions(tls), handshakeTimeout: limits.requestDeadline } }),
    schemaController: NO_SCHEMAS,
    genReqId: nextRequestId,
    return503OnClosing: false,
    rewriteUrl: () => '/',
    clientErrorHandler: (fault, socket) => faults.handle(fault, socket),
  });
  if (tls !== undefined) serveTls(server.server, tls);
  limitConnections(server.server, limits);
  server.server.on('drop', () => onDropped('all'));
  acceptAnyExpectation(server.server, limits);
  acceptAnyMethodAndBody(server);
  refuseUnreadable(server, handler, faults);
  refuseFaults(server, handler, parts);
  // One route takes every path. `routes.ts` finds the operation: the specification's templates need more than fastify offers.
  server.route({
    method: server.supportedMethods,
    url: '/',
    handler: (request, reply) => answer(handler, request, reply),
  });
  return server;
}

function httpOptions({ requestDeadline }: ServerLimits) {
  return {
    maxHeaderSize: HEADER_LIMIT,
    headersTimeout: requestDeadline,
    // Also here: fastify sets its own after Node has refused a longer headersTimeout.
    requestTimeout: requestDeadline,
    connectionsCheckingInterval: 1_000,
    // Node would answer with its own text. Instead host.ts checks the header once it is read.
    requireHostHeader: false,
    optimizeEmptyRequests: true,
  };
}

function limitConnections(server: Server, { connections, requestDeadline }: ServerLimits): void {
  // Without the second (which Node's types lack) workers that are all full would pass a connection round for ever.
  Object.assign(server, { maxConnections: connections, dropMaxConnection: true });
  // `refusalOfHead` limits the fields: older Nodes drop further ones silently, `X-Forwarded-For` too.
  server.maxHeadersCount = 0;
  // A client that closes its side at once (`nc -N`) is answered all the same. Node's types lack this one, too.
  Object.assign(server, { httpAllowHalfOpen: true });
  dropStalledReaders(server, requestDeadline);
}

/** Answers a request whatever its `Expect` says: an unknown expectation is no reason to refuse it. */
function acceptAnyExpectation(server: Server, { bodyLimit }: ServerLimits): void {
  // A client that asks before it sends a body that is too large is refused without being told to go on.
  server.on('checkContinue', (request, response) => {
    if (!(Number(request.headers['content-length']) > bodyLimit)) response.writeContinue();
    server.emit('request', request, response);
  });
  server.on('checkExpectation', (request, response) => server.emit('request', request, response));
}

/** Makes every method lead to the handler, and every body a buffer, whatever type it claims to have. */
function acceptAnyMethodAndBody(server: FastifyInstance): void {
  for (const method of METHODS) {
    if (method !== 'CONNECT' && !server.supportedMethods.includes(method))
      server.addHttpMethod(method, { hasBody: true });
  }
  // Some clients send the arguments of a GET as a form.
  server.addHttpMethod('GET', { hasBody: true, overrideExisting: true });
  server.removeAllContentTypeParsers();
  server.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
}

function answer(handler: Handler, request: FastifyRequest, reply: FastifyReply): void {
  void handler.handle(request, new NodeResponseWriter(reply));
}

/** Before the body is read: refuses requests whose header is unreadable, and starts what each request needs. */
function refuseUnreadable(server: FastifyInstance, handler: Handler, faults: ConnectionFaults): void {
  server.decorateRequest('began', 0);
  server.addHook('onRequest', (request, reply, done) => {
    const { socket } = request.raw;
    // Nothing after the last request of a connection is read as a request: it could not be answered.
    if (socket.writableEnded || !noteRequest(socket) || lastTaken.has(socket)) return;
    request.began = performance.now();
    const { headers } = request.raw;
    if (hasChunksInHttp10(request.raw)) return faults.handle(new Error(), socket);
    if (headers['content-type'] !== undefined) delete headers['content-type'];
    faults.note(reply.raw);
    const refusal = refusalOfHead(request);
    if (refusal !== undefined) {
      takeNoMore(reply);
      return handler.refuse(request, new NodeResponseWriter(reply), refusal);
    }
    // Node drops the bytes that arrive with an upgrade, and would read later bytes as the next request.
    if (headers.upgrade !== undefined) takeNoMore(reply);
    // fastify refuses a QUERY without a type. Here its path decides whether it is refused.
    if (request.method === 'QUERY') {
      if (!hasBody(headers)) return answer(handler, request, reply);
      headers['content-type'] = 'application/octet-stream';
    }
    done();
  });
}

/** Answers what fastify or Node fail at, such as a body that is too large. */
function refuseFaults(server: FastifyInstance, handler: Handler, { onFault }: FastifyParts): void {
  server.setErrorHandler((fault: { code?: string; statusCode?: number }, request, reply) => {
    const refusal = refusalOfFault(fault);
    if (refusal.refused === 'internal') onFault(fault, request.id);
    handler.refuse(request, new NodeResponseWriter(reply), refusal);
  });
}

function refusalOfFault(fault: { code?: string; statusCode?: number }): Refusal {
  if (fault.code === 'FST_ERR_CTP_BODY_TOO_LARGE') return refuse('body_too_large');
  if (fault.statusCode !== undefined && fault.statusCode < 500) return refusalOf(fault as Error);
  return refuse('internal');
}

/** Whether a body is announced, even an empty one. */
const hasBody = (headers: IncomingHttpHeaders) =>
  headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined;

/** HTTP/1.0 has no chunks: a proxy that passed them on may see another end of the request (RFC 9112 section 6.1). */
const hasChunksInHttp10 = ({ httpVersion, headers }: IncomingMessage) =>
  httpVersion === '1.0' && headers['transfer-encoding'] !== undefined;

/** The refusal of a request for its header alone; undefined if the header is right. */
function refusalOfHead({ raw, originalUrl }: FastifyRequest): Refusal | undefined {
  if (raw.rawHeaders.length > 2 * MOST_FIELDS) return refuse('headers_too_large');
  const detail = headFault(originalUrl, raw);
  return detail === undefined ? undefined : refuse('request_malformed', { detail });
}

/** Connections whose last request has come. Nothing after it is read as a request. */
const lastTaken = new WeakSet<Socket>();

/** Closes the connection after the answer to this request, and takes no further request on it. */
function takeNoMore({ raw }: FastifyReply): void {
  const { socket } = raw.req;
  raw.shouldKeepAlive = false;
  lastTaken.add(socket);
  lingerBehindLast(socket);
}

/** Whether a request has a body whose end has not come. */
function isUnread({ complete, headers }: IncomingMessage): boolean {
  if (complete) return false;
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

/** Writes an answer to Node's own response: fastify's hooks for an answer take as long as everything else about it. */
class NodeResponseWriter implements ResponseWriter {
  readonly #reply: FastifyReply;

  constructor(reply: FastifyReply) {
    this.#reply = reply;
  }

  write({ status, headers, text, encoding, isLast }: HttpResponse): void {
    const { raw } = this.#reply.hijack();
    const unread = isUnread(raw.req);
    if (unread || isLast) raw.shouldKeepAlive = false;
    if (unread) endUnread(raw);
    raw.writeHead(status, headers as string[]).end(text, encoding);
    noteAnswer(raw.req.socket);
  }

  stream({ status, headers }: Pick<HttpResponse, 'status' | 'headers'>): Writable {
    const { raw } = this.#reply.hijack();
    raw.shouldKeepAlive = false;
    raw.writeHead(status, headers as string[]).flushHeaders();
    raw.req.socket.once('end', () => raw.destroy());
    return raw;
  }
}
