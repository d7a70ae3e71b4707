import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type Refusal, refuse } from '../domain/refusal.ts';
import type { Arrival, ResponseWriter } from './arrival.ts';
import { type ConnectionFaults, refusalOf } from './connection-faults.ts';
import type { Handler } from './handle.ts';
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

function fromFastify(fault: { code?: string; statusCode?: number }): Refusal {
  if (fault.code === 'FST_ERR_CTP_BODY_TOO_LARGE') return refuse('body_too_large');
  if (fault.statusCode !== undefined && fault.statusCode < 500) return refusalOf(fault as Error);
  return refuse('internal');
}

/** What the requests that fastify carries are answered with. */
export interface CarriedParts {
  readonly handler: Handler;
  readonly faults: ConnectionFaults;
  readonly replyTo: (request: Arrival, writer: ResponseWriter) => Reply;
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
    // Behind the last answer: nobody would hear what came of it.
    if (request.raw.socket.writableEnded || !noteRequest(request.raw.socket)) return;
    request.began = performance.now();
    const { headers } = request.raw;
    if (hasChunksOfNoMeaning(request.raw)) return faults.handle(new Error(), request.raw.socket);
    if (headers['content-type'] !== undefined) delete headers['content-type'];
    faults.note(reply.raw);
    if (request.raw.rawHeaders.length > 2 * MOST_FIELDS) {
      reply.raw.shouldKeepAlive = false;
      return handler.refuse(replyBy(request, reply), refuse('headers_too_large'));
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
    if (refusal.refused === 'internal') onFault(fault, request.id);
    handler.refuse(replyBy(request, reply), refusal);
  });
  server.route({
    method: server.supportedMethods,
    url: '/',
    handler: answer,
  });
}
