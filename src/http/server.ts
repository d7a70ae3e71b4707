import { METHODS } from 'node:http';
import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import { refuse } from '../domain/refusal.ts';
import type { Answered } from '../telemetry/observer.ts';
import { ConnectionFaults } from './connection-faults.ts';
import { isAllowedOrigin } from './cross-site.ts';
import { Handler, type HandlerParts, type Told } from './handle.ts';
import { sendRefusal } from './reply.ts';

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
  reply.headers({ 'access-control-allow-origin': origin, vary: 'Origin' });
}

function answered({ id, told }: FastifyRequest, reply: FastifyReply): Answered {
  const { operation, refusal, user, digest, address, passwordInUrl = false } = told;
  const isLogin = operation?.takesPassword !== undefined;
  const line = { id, operation: operation?.id, isLogin, passwordInUrl, refusal, user, digest, address };
  return { ...line, status: reply.statusCode, duration: reply.elapsedTime };
}

function fromFastify(fault: { code?: string; statusCode?: number }) {
  if (fault.code === 'FST_ERR_CTP_BODY_TOO_LARGE') return refuse('body_too_large');
  if (fault.statusCode !== undefined && fault.statusCode < 500) return refuse('request_malformed');
  return refuse('internal');
}

/**
 * The public server. fastify carries the requests; the paths are found by `routes.ts`, since the specification's
 * templates need more than it offers, so one route takes them all.
 */
export function buildServer(parts: ServerParts): FastifyInstance {
  const { limits, allowedOrigins } = parts;
  const faults = new ConnectionFaults(parts.clock);
  const handler = new Handler(parts);
  const server = fastify({
    bodyLimit: limits.bodyLimit,
    requestTimeout: limits.requestDeadline,
    keepAliveTimeout: KEEP_ALIVE,
    http: {
      maxHeaderSize: HEADER_LIMIT,
      headersTimeout: limits.requestDeadline,
      connectionsCheckingInterval: 1_000,
    },
    genReqId: parts.nextRequestId,
    return503OnClosing: false,
    rewriteUrl: () => '/',
    clientErrorHandler: (fault, socket) => faults.handle(fault, socket, parts.nextRequestId()),
  });
  server.server.maxConnections = limits.connections;
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
    faults.note(reply.raw);
    setCommonHeaders(request, reply, allowedOrigins);
    if (closing) reply.header('connection', 'close');
    done();
  });
  server.addHook('onResponse', (request, reply, done) => {
    parts.onAnswered(answered(request, reply));
    done();
  });
  server.setErrorHandler((fault: { code?: string; statusCode?: number }, request, reply) => {
    const refusal = fromFastify(fault);
    request.told.refusal = refusal;
    if (refusal.refused === 'internal') parts.onFault(fault, request.id);
    return sendRefusal(reply, refusal, undefined, parts.clock());
  });
  server.route({
    method: server.supportedMethods,
    url: '/',
    handler: (request, reply) => handler.handle(request, reply, request.told),
  });
  return server;
}
