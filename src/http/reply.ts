import type { FastifyReply } from 'fastify';
import type { Refusal } from '../domain/refusal.ts';
import type { Answer, AnyOperation } from '../operation.ts';
import type { Format } from '../representations/representation.ts';
import { type Body, isKept } from './bodies.ts';
import { isFromPageScript } from './cross-site.ts';
import { errorDocument, formatByAccept, STATUS } from './status.ts';

/** Sends an answer; 304 to a caller who has the body already, where the operation lets callers keep it. */
export function sendAnswer(
  reply: FastifyReply,
  { type, text, etag }: Body,
  operation: AnyOperation,
  { language }: Answer<unknown>,
): FastifyReply {
  if (language !== undefined) reply.header('content-language', language);
  if (!operation.revalidated || etag === undefined) return reply.header('content-type', type).send(text);
  reply.removeHeader('pragma');
  const vary = reply.hasHeader('vary')
    ? 'Origin, Authorization, Accept-Language'
    : 'Authorization, Accept-Language';
  reply.headers({ 'cache-control': 'private, no-cache', vary, etag });
  if (isKept(reply.request.raw.headers['if-none-match'], etag)) return reply.code(304).send();
  return reply.header('content-type', type).send(text);
}

/** Sends a refusal with its status, challenge and document. Without a format, `Accept` decides between html and json. */
export function sendRefusal(
  reply: FastifyReply,
  refusal: Refusal,
  format: Format | undefined,
  now: number,
): FastifyReply {
  const { headers } = reply.request.raw;
  const { accept } = headers;
  const status = STATUS[refusal.refused];
  const context = { format: format ?? formatByAccept(accept), accept, requestId: reply.request.id, now };
  const { type, body } = errorDocument(refusal, context);
  if (status === 401) {
    reply.header('www-authenticate', `${isFromPageScript(headers) ? 'AlfTicket' : 'Basic'} realm="Tessera"`);
  }
  if (refusal.retryAfter !== undefined) reply.header('retry-after', refusal.retryAfter);
  return reply.code(status).header('content-type', type).send(body);
}
