import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type Refusal, refuse } from '../domain/refusal.ts';
import { type ConnectionFaults, lingerBehindLast, refusalOf } from './connection-faults.ts';
import type { Handler } from './handle.ts';
import { headFault } from './host.ts';
import type { HttpRequest, ResponseWriter } from './http-request.ts';
import { NodeResponse } from './node-response.ts';
import type { Reply } from './reply.ts';
import { noteRequest } from './unanswered.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** When it was begun to be read, by the monotonic clock, in milliseconds. */
    began: number;
  }
}

/** Fields of a request header, since Node counts neither the bytes between nor those behind name and value. */
const MOST_FIELDS = 1_000;

/** Whether a body is announced, be it an empty one. */
const hasBody = (headers: IncomingHttpHeaders) =>
  headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined;

/** Whether chunks come in HTTP/1.0, which has none: whoever passed them on may see the end elsewhere (RFC 9112 section 6.1). */
const hasChunksOfNoMeaning = ({ httpVersion, headers }: IncomingMessage) =>
  httpVersion === '1.0' && headers['transfer-encoding'] !== undefined;

/** Why a request is refused by its head alone. */
function refusalOfHead({ raw, originalUrl }: FastifyRequest): Refusal | undefined {
  if (raw.rawHeaders.length > 2 * MOST_FIELDS) return refuse('headers_too_large');
  const detail = headFault(originalUrl, raw);
  return detail === undefined ? undefined : refuse('request_malformed', { detail });
}

function fromFastify(fault: { code?: string; statusCode?: number }): Refusal {
  if (fault.code === 'FST_ERR_CTP_BODY_TOO_LARGE') return refuse('body_too_large');
  if (fault.statusCode !== undefined && fault.statusCode < 500) return refusalOf(fault as Error);
  return refuse('internal');
}

/** Connections whose last request has come: what follows is not read as a request. */
const lastTaken = new WeakSet<Socket>();

/** Ends the connection behind the answer to this request, and takes no request that comes behind it. */
function takeNoMore({ raw }: FastifyReply): void {
  const { socket } = raw.req;
  raw.shouldKeepAlive = false;
  lastTaken.add(socket);
  lingerBehindLast(socket);
}

/** What the requests that fastify carries are answered with. */
export interface CarriedParts {
  readonly handler: Handler;
  readonly faults: ConnectionFaults;
  readonly replyTo: (request: HttpRequest, writer: ResponseWriter) => Reply;
  readonly onFault: (fault: unknown, requestId: string) => void;
}

/** Has every request that fastify carries handled; one route takes them all. */
export function answerCarried(
  server: FastifyInstance,
  { handler, faults, replyTo, onFault }: CarriedParts,
): void {
  const replyBy = (request: FastifyRequest, reply: FastifyReply) => replyTo(request, new NodeResponse(reply));
  const answer = (request: FastifyRequest, reply: FastifyReply) => {
    void handler.handle(replyBy(request, reply));
  };
  server.decorateRequest('began', 0);
  server.addHook('onRequest', (request, reply, done) => {
    const { socket } = request.raw;
    // Behind the last request of a connection nothing is read as a request: no answer could be sent.
    if (socket.writableEnded || !noteRequest(socket) || lastTaken.has(socket)) return;
    request.began = performance.now();
    const { headers } = request.raw;
    if (hasChunksOfNoMeaning(request.raw)) return faults.handle(new Error(), socket);
    if (headers['content-type'] !== undefined) delete headers['content-type'];
    faults.note(reply.raw);
    const refusal = refusalOfHead(request);
    if (refusal !== undefined) {
      takeNoMore(reply);
      return handler.refuse(replyBy(request, reply), refusal);
    }
    // Node drops the bytes that arrive with such a request, and would read later bytes as the next request.
    if (headers.upgrade !== undefined) takeNoMore(reply);
    // What fastify would refuse without a type is refused here, if at all: by its path.
    if (request.method === 'QUERY') {
      if (!hasBody(headers)) return answer(request, reply);
      headers['content-type'] = 'application/octet-stream';
    }
    done();
  });
  server.setErrorHandler((fault: { code?: string; statusCode?: number }, request, reply) => {
    const refusal = fromFastify(fault);
    if (refusal.refused === 'internal') onFault(fault, request.id);
    handler.refuse(replyBy(request, reply), refusal);
  });
  server.route({
    method: server.supportedMethods,
    url: '/',
    handler: answer,
  });
}
