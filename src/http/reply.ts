import type { FastifyReply } from 'fastify';
import type { Api } from '../api.ts';
import type { Refusal } from '../domain/refusal.ts';
import type { Answer, AnyOperation } from '../operation.ts';
import type { Format } from '../representations/representation.ts';
import { type Body, isKept } from './bodies.ts';
import { isFromPageScript } from './cross-site.ts';
import { errorDocument, formatByAccept, STATUS } from './status.ts';

/** Sends an answer with the status that the operation declares; 304 to a caller who has the body already, where the operation lets callers keep it. */
export function sendAnswer(
  reply: FastifyReply,
  body: Body | undefined,
  operation: AnyOperation,
  { language }: Answer<unknown>,
): FastifyReply {
  reply.code(operation.answers ?? 200);
  if (language !== undefined) reply.header('content-language', language);
  if (body === undefined) return reply.send();
  const { type, text, etag } = body;
  if (!operation.revalidated || etag === undefined) return reply.header('content-type', type).send(text);
  reply.removeHeader('pragma');
  const vary = reply.hasHeader('vary')
    ? 'Origin, Authorization, Accept-Language'
    : 'Authorization, Accept-Language';
  reply.headers({ 'cache-control': 'private, no-cache', vary, etag });
  if (isKept(reply.request.raw.headers['if-none-match'], etag)) return reply.code(304).send();
  return reply.header('content-type', type).send(text);
}

/** Where a refusal belongs, as far as that was found out. */
export interface RefusedAt {
  readonly api: Api | undefined;
  /** Without one, `Accept` decides between html and json. */
  readonly format: Format | undefined;
}

/** Sends a refusal with its status, challenge and document. */
export function sendRefusal(
  reply: FastifyReply,
  refusal: Refusal,
  { api, format }: RefusedAt,
  now: number,
): FastifyReply {
  const { headers } = reply.request.raw;
  const { accept } = headers;
  const status = STATUS[refusal.refused];
  const requestId = reply.request.id;
  const context = { api, format: format ?? formatByAccept(accept), accept, requestId, now };
  const { type, body } = errorDocument(refusal, context);
  if (status === 401) {
    // Whoever lacks a client's credential is no browser: the challenge names what is taken (RFC 6749 section 5.2).
    const scheme = api?.name !== 'oauth2' && isFromPageScript(headers) ? 'AlfTicket' : 'Basic';
    reply.header('www-authenticate', `${scheme} realm="Tessera"`);
  }
  if (refusal.retryAfter !== undefined) reply.header('retry-after', refusal.retryAfter);
  return reply.code(status).header('content-type', type).send(body);
}
