import type { FastifyReply } from 'fastify';
import type { Refusal } from '../domain/refusal.ts';
import type { Answer, AnyOperation } from '../operation.ts';
import type { Format } from '../representations/representation.ts';
import { isFromPageScript } from './cross-site.ts';
import { MEDIA_TYPES, write } from './formats/write.ts';
import { errorDocument, formatByAccept, STATUS } from './status.ts';

/** Sends an answer in its format. */
export function sendAnswer(
  reply: FastifyReply,
  operation: AnyOperation,
  { value }: Answer<unknown>,
  format: Format,
): FastifyReply {
  return reply
    .header('content-type', MEDIA_TYPES[format])
    .send(write(operation.output, value as never, format));
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
