import { type IncomingHttpHeaders, type IncomingMessage, METHODS } from 'node:http';
import type { Socket } from 'node:net';
import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import { type Refusal, refuse } from '../domain/refusal.ts';
import type { Arrival, ResponseWriter } from './arrival.ts';
import { ConnectionFaults, refusalOf } from './connection-faults.ts';
import { Handler, type HandlerParts } from './handle.ts';
import { listenNoMore } from './listen.ts';
import { NodeResponse } from './node-response.ts';
import { takePlain } from './plain/front.ts';
import { Reply, type ReplyParts } from './reply.ts';
import { mindSlowReaders } from './slow-readers.ts';
import { STATUS } from './status.ts';
import { boundUnanswered, noteRequest } from './unanswered.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** When it was begun to be read, by the monotonic clock, in milliseconds. */
    began: number;
  }
}

/** fastify checks and writes nothing by schemas here: without this it loads two compilers for them at each start. */
const NO_SCHEMAS = {
  compilersFactory: { buildValidator: () => unused, buildSerializer: () => unused },
};

function unused(): never {
  throw new Error('no route here has a schema of its own');
}

/** What bounds requests and connections: settings, in bytes and milliseconds. */
export interface ServerLimits {
  readonly bodyLimit: number;
  readonly requestDeadline: number;
  readonly connections: number;
}

/** Bytes of a request header, which bounds the URL as well. */
const HEADER_LIMIT = 16_384;
/** Fields of a request header, since Node counts neither the bytes between nor those behind name and value. */
const MOST_FIELDS = 1_000;
/** Longer than the keep-alive of the proxies that stand in front, so that they never write into a closed connection. */
const KEEP_ALIVE = 72_000;

/** What the server works with. */
export interface ServerParts extends HandlerParts, Omit<ReplyParts, 'isClosing'> {
  readonly limits: ServerLimits;
  readonly nextRequestId: () => string;
  /** Told of each connection that is closed since as many as are allowed are open. */
  readonly onDropped: () => void;
}

/** Whether a body is announced, be it an empty one. */
const hasBody = (headers: IncomingHttpHeaders) =>
  headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined;

/** Whether chunks come in HTTP/1.0, which has none: whoever passed them on may see the end elsewhere (RFC 9112 section 6.1). */
const hasChunksOfNoMeaning = ({ httpVersion, headers }: IncomingMessage) =>
  httpVersion === '1.0' && headers['transfer-encoding'] !== undefined;

function fromFastify(fault: { code?: string; statusCode?: number }): Refusal {
  if (fault.code === 'FST_ERR_CTP_BODY_TOO_LARGE') return refuse('body_too_large');
  if (fault.statusCode !== undefined && fault.statusCode < 500) return refusalOf(fault as Error);
  return refuse('internal');
}

/** fastify, with the bounds of requests and connections. */
function carrier(
  { limits, nextRequestId, onDropped }: ServerParts,
  faults: ConnectionFaults,
): FastifyInstance {
  const server = fastify({
    bodyLimit: limits.bodyLimit,
    requestTimeout: limits.requestDeadline,
    keepAliveTimeout: KEEP_ALIVE,
    http: {
      maxHeaderSize: HEADER_LIMIT,
      headersTimeout: limits.requestDeadline,
      // Said twice: fastify sets its own after Node has refused a longer headersTimeout.
      requestTimeout: limits.requestDeadline,
      connectionsCheckingInterval: 1_000,
      requireHostHeader: false,
      optimizeEmptyRequests: true,
    },
    schemaController: NO_SCHEMAS,
    genReqId: nextRequestId,
    return503OnClosing: false,
    rewriteUrl: () => '/',
    clientErrorHandler: (fault, socket) => faults.handle(fault, socket),
  });
  // Without the second (which Node's types lack) workers would pass what none has room for round for ever.
  Object.assign(server.server, { maxConnections: limits.connections, dropMaxConnection: true });
  server.server.on('drop', onDropped);
  // Bounded where requests come in: older Nodes lose further fields silently, `X-Forwarded-For` too.
  server.server.maxHeadersCount = 0;
  // Who says at once that nothing more will come (`nc -N`) is answered all the same; the types lack this one, too.
  Object.assign(server.server, { httpAllowHalfOpen: true });
  mindSlowReaders(server.server, limits.requestDeadline);
  // Who asks before it sends a body that is too large is told so, and not to go on.
  server.server.on('checkContinue', (request, response) => {
    if (!(Number(request.headers['content-length']) > limits.bodyLimit)) response.writeContinue();
    server.server.emit('request', request, response);
  });
  // An expectation that nobody knows is no reason not to answer.
  server.server.on('checkExpectation', (request, response) =>
    server.server.emit('request', request, response),
  );
  return server;
}

/** Has every method lead to a handler, and bodies be bytes, whatever they claim to be. */
function takeAnything(server: FastifyInstance): void {
  for (const method of METHODS) {
    if (method !== 'CONNECT' && !server.supportedMethods.includes(method))
      server.addHttpMethod(method, { hasBody: true });
  }
  server.removeAllContentTypeParsers();
  server.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
}

/**
 * The public server. fastify carries the requests; the paths are found by `routes.ts`, since the specification's
 * templates need more than it offers, so one route takes them all.
 */
export function buildServer(parts: ServerParts): FastifyInstance {
  const { clock, nextRequestId, addresses } = parts;
  const onRefused = (refusal: Refusal, id: string, socket: Socket) => {
    const address = addresses.ofPeer(socket);
    parts.onAnswered({ id, refusal, status: STATUS[refusal.refused], address });
  };
  const faults = new ConnectionFaults({ clock, nextRequestId, onRefused });
  const handler = new Handler(parts);
  const server = carrier(parts, faults);
  takeAnything(server);
  let closing = false;
  server.addHook('preClose', async () => {
    closing = true;
    await listenNoMore(server.server);
  });
  const replyParts = { ...parts, isClosing: () => closing };
  server.decorateRequest('began', 0);
  const toReply = (request: Arrival, writer: ResponseWriter) => new Reply(request, writer, replyParts);
  const replyTo = (request: FastifyRequest, reply: FastifyReply) => toReply(request, new NodeResponse(reply));
  const answer = (request: FastifyRequest, reply: FastifyReply) => {
    void handler.handle(replyTo(request, reply));
  };
  server.addHook('onRequest', (request, reply, done) => {
    // Behind the last answer: nobody would hear what came of it.
    if (request.raw.socket.writableEnded || !noteRequest(request.raw.socket)) return;
    request.began = performance.now();
    const { headers } = request.raw;
    if (hasChunksOfNoMeaning(request.raw)) return faults.handle(new Error(), request.raw.socket);
    if (headers['content-type'] !== undefined) delete headers['content-type'];
    faults.note(reply.raw);
    if (request.raw.rawHeaders.length > 2 * MOST_FIELDS) {
      reply.raw.shouldKeepAlive = false;
      return handler.refuse(replyTo(request, reply), refuse('headers_too_large'));
    }
    // What fastify would refuse without a type is refused here, if at all: by its path.
    if (request.method === 'QUERY') {
      if (!hasBody(headers)) return answer(request, reply);
      headers['content-type'] = 'application/octet-stream';
    }
    done();
  });
  server.setErrorHandler((fault: { code?: string; statusCode?: number }, request, reply) => {
    const refusal = fromFastify(fault);
    if (refusal.refused === 'internal') parts.onFault(fault, request.id);
    handler.refuse(replyTo(request, reply), refusal);
  });
  server.route({
    method: server.supportedMethods,
    url: '/',
    handler: answer,
  });
  takePlain(server.server, {
    onRequest: (head, connection) => {
      const arrival = {
        id: nextRequestId(),
        began: performance.now(),
        originalUrl: head.url,
        raw: head,
        body: undefined,
      };
      void handler.handle(toReply(arrival, connection));
    },
    onLeft: boundUnanswered,
    onSilent: (socket) => faults.handle({ ...new Error(), code: 'ERR_HTTP_REQUEST_TIMEOUT' }, socket),
    deadline: parts.limits.requestDeadline,
    keepAlive: KEEP_ALIVE,
  });
  return server;
}
