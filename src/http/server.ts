import { METHODS } from 'node:http';
import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import { type Refusal, refuse } from '../domain/refusal.ts';
import type { Answered } from '../telemetry/observer.ts';
import { ConnectionFaults, refusalOf } from './connection-faults.ts';
import { isAllowedOrigin } from './cross-site.ts';
import { Handler, type HandlerParts, type Told } from './handle.ts';
import { STATUS } from './status.ts';

declare module 'fastify' {
  interface FastifyRequest {
    told: Told;
  }
}

/** What bounds requests and connections: settings, in bytes and milliseconds. */
export interface ServerLimits {
  readonly bodyLimit: number;
  readonly requestDeadline: number;
  readonly connections: number;
}

/** Bytes of a request header, which bounds the URL as well. */
const HEADER_LIMIT = 16_384;
/** Longer than the keep-alive of the proxies that stand in front, so that they never write into a closed connection. */
const KEEP_ALIVE = 72_000;

export interface ServerParts extends HandlerParts {
  readonly limits: ServerLimits;
  readonly nextRequestId: () => string;
  /** Told of each request once it is answered. */
  readonly onAnswered: (answered: Answered) => void;
  readonly onFault: (fault: unknown, requestId: string) => void;
}

/** Headers that every answer of whatever status has. */
function setCommonHeaders(
  request: FastifyRequest,
  reply: FastifyReply,
  allowedOrigins: readonly string[],
): void {
  reply.headers({
    'cache-control': 'no-cache, no-store',
    pragma: 'no-cache',
    'x-content-type-options': 'nosniff',
    'x-request-id': request.id,
  });
  const { origin } = request.raw.headers;
  if (!isAllowedOrigin(origin, allowedOrigins)) return;
  const exposed = 'Retry-After, X-Request-Id, ETag, Content-Language';
  reply.headers({
    'access-control-allow-origin': origin,
    'access-control-expose-headers': exposed,
    vary: 'Origin',
  });
}

function answered({ id, told }: FastifyRequest, reply: FastifyReply): Answered {
  const { operation, refusal, user, digest, client, address, passwordInUrl = false } = told;
  const isLogin = operation?.takesPassword !== undefined;
  const line = {
    id,
    operation: operation?.id,
    isLogin,
    passwordInUrl,
    refusal,
    user,
    digest,
    client,
    address,
  };
  return { ...line, status: reply.statusCode, duration: reply.elapsedTime };
}

/** What is told of bytes that never became a request. */
function unread(refusal: Refusal, id: string): Answered {
  const nobody = {
    operation: undefined,
    user: undefined,
    digest: undefined,
    client: undefined,
    address: undefined,
  };
  const none = { isLogin: false, passwordInUrl: false, duration: 0 };
  return { id, refusal, status: STATUS[refusal.refused], ...nobody, ...none };
}

function fromFastify(fault: { code?: string; statusCode?: number }): Refusal {
  if (fault.code === 'FST_ERR_CTP_BODY_TOO_LARGE') return refuse('body_too_large');
  if (fault.statusCode !== undefined && fault.statusCode < 500) return refusalOf(fault as Error);
  return refuse('internal');
}

/**
 * The public server. fastify carries the requests; the paths are found by `routes.ts`, since the specification's
 * templates need more than it offers, so one route takes them all.
 */
export function buildServer(parts: ServerParts): FastifyInstance {
  const { limits, allowedOrigins } = parts;
  const { clock, nextRequestId } = parts;
  const onRefused = (refusal: Refusal, id: string) => parts.onAnswered(unread(refusal, id));
  const faults = new ConnectionFaults({ clock, nextRequestId, onRefused });
  const handler = new Handler(parts);
  const server = fastify({
    bodyLimit: limits.bodyLimit,
    requestTimeout: limits.requestDeadline,
    keepAliveTimeout: KEEP_ALIVE,
    http: {
      maxHeaderSize: HEADER_LIMIT,
      headersTimeout: limits.requestDeadline,
      connectionsCheckingInterval: 1_000,
      requireHostHeader: false,
    },
    genReqId: nextRequestId,
    return503OnClosing: false,
    rewriteUrl: () => '/',
    clientErrorHandler: (fault, socket) => faults.handle(fault, socket),
  });
  server.server.maxConnections = limits.connections;
  // An expectation that nobody knows is no reason not to answer.
  server.server.on('checkExpectation', (request, response) =>
    server.server.emit('request', request, response),
  );
  for (const method of METHODS) {
    if (method !== 'CONNECT' && !server.supportedMethods.includes(method))
      server.addHttpMethod(method, { hasBody: true });
  }
  // Bodies are bytes, whatever they claim to be.
  server.removeAllContentTypeParsers();
  server.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
  let closing = false;
  server.addHook('preClose', async () => {
    closing = true;
  });
  server.decorateRequest('told', null as never);
  server.addHook('onRequest', (request, reply, done) => {
    request.told = {};
    delete request.raw.headers['content-type'];
    faults.note(request.raw, reply.raw);
    setCommonHeaders(request, reply, allowedOrigins);
    done();
  });
  server.addHook('onSend', (_request, reply, _payload, done) => {
    if (closing) reply.header('connection', 'close');
    done();
  });
  server.addHook('onResponse', (request, reply, done) => {
    parts.onAnswered(answered(request, reply));
    done();
  });
  server.setErrorHandler((fault: { code?: string; statusCode?: number }, request, reply) => {
    const refusal = fromFastify(fault);
    if (refusal.refused === 'internal') parts.onFault(fault, request.id);
    return handler.refuse(request, reply, refusal);
  });
  server.route({
    method: server.supportedMethods,
    url: '/',
    handler: (request, reply) => handler.handle(request, reply),
  });
  return server;
}
