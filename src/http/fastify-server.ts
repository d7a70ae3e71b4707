import { METHODS, type Server } from 'node:http';
import type { Socket } from 'node:net';
import fastify, { type FastifyInstance } from 'fastify';
import type { DropReason } from '../telemetry/dropped-connections.ts';
import { mindSlowReaders } from './slow-readers.ts';
import { serveTls, type TlsParts, tlsOptions } from './tls/server.ts';

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
  readonly connectionsPerAddress: number;
}

/** Bytes of a request header, which bounds the URL as well. */
const HEADER_LIMIT = 16_384;
/** Milliseconds. Longer than the keep-alive of the proxies that stand in front, so that they never write into a closed connection. */
export const KEEP_ALIVE = 72_000;

/** What fastify is made with. */
export interface CarrierParts {
  readonly limits: ServerLimits;
  readonly nextRequestId: () => string;
  /** Called for each connection that is closed because a limit is reached, with the limit and the address if that is known. */
  readonly onDropped: (reason: DropReason, address?: string) => void;
  /** Where the port speaks TLS. */
  readonly tls?: TlsParts | undefined;
}

/** fastify, with the bounds of requests and connections; `onUnreadable` takes what cannot be read as a request. */
export function carrier(
  { limits, nextRequestId, onDropped, tls }: CarrierParts,
  onUnreadable: (fault: Error, socket: Socket) => void,
): FastifyInstance {
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
    clientErrorHandler: onUnreadable,
  });
  if (tls !== undefined) serveTls(server.server, tls);
  bound(server.server, limits);
  server.server.on('drop', () => onDropped('all'));
  expectAnything(server.server, limits);
  takeAnything(server);
  return server;
}

function httpOptions({ requestDeadline }: ServerLimits) {
  return {
    maxHeaderSize: HEADER_LIMIT,
    headersTimeout: requestDeadline,
    // Said twice: fastify sets its own after Node has refused a longer headersTimeout.
    requestTimeout: requestDeadline,
    connectionsCheckingInterval: 1_000,
    // Node would answer with a text of its own: the head is checked once it is read, see host.ts.
    requireHostHeader: false,
    optimizeEmptyRequests: true,
  };
}

/** Bounds connections, and no further fields of a head. */
function bound(server: Server, { connections, requestDeadline }: ServerLimits): void {
  // Without the second (which Node's types lack) workers would pass what none has room for round for ever.
  Object.assign(server, { maxConnections: connections, dropMaxConnection: true });
  // Bounded where requests come in: older Nodes lose further fields silently, `X-Forwarded-For` too.
  server.maxHeadersCount = 0;
  // Who says at once that nothing more will come (`nc -N`) is answered all the same; the types lack this one, too.
  Object.assign(server, { httpAllowHalfOpen: true });
  mindSlowReaders(server, requestDeadline);
}

/** Answers whatever is expected: an expectation that nobody knows is no reason not to. */
function expectAnything(server: Server, { bodyLimit }: ServerLimits): void {
  // Who asks before it sends a body that is too large is told so, and not to go on.
  server.on('checkContinue', (request, response) => {
    if (!(Number(request.headers['content-length']) > bodyLimit)) response.writeContinue();
    server.emit('request', request, response);
  });
  server.on('checkExpectation', (request, response) => server.emit('request', request, response));
}

/** Has every method lead to a handler, and bodies be bytes, whatever they claim to be. */
function takeAnything(server: FastifyInstance): void {
  for (const method of METHODS) {
    if (method !== 'CONNECT' && !server.supportedMethods.includes(method))
      server.addHttpMethod(method, { hasBody: true });
  }
  // Some clients send the arguments of a GET as a form.
  server.addHttpMethod('GET', { hasBody: true, overrideExisting: true });
  server.removeAllContentTypeParsers();
  server.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
}
