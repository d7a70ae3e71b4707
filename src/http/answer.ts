import { type Api, apiAt } from '../api.ts';
import { isRefusal, type Refusal } from '../domain/refusal.ts';
import type { Answer, AnyOperation } from '../operation.ts';
import type { Format } from '../representations/representation.ts';
import { type Body, isKept } from './bodies.ts';
import { isFromPageScript } from './csrf.ts';
import { type ErrorContext, errorDocument, formatByAccept } from './error-document.ts';
import { PAGE_POLICY, SCRIPT_POLICY } from './formats/style.ts';
import { MEDIA_TYPES } from './formats/write.ts';
import type { Reply } from './reply.ts';
import { STATUS } from './status.ts';
import { pathOf } from './target.ts';

/** What a page may load stands in a header: browsers hold it to that, whatever the page says. */
function setPolicy(reply: Reply, type: string, operation?: AnyOperation): void {
  if (type !== MEDIA_TYPES.html) return;
  reply.header('Content-Security-Policy', operation?.runsScript ? SCRIPT_POLICY : PAGE_POLICY);
}

/** Sends an answer with the status that the operation declares; 304 to a caller who has the body already, where the operation lets callers keep it. */
export function sendAnswer(
  reply: Reply,
  body: Body | undefined,
  operation: AnyOperation,
  { value, language, lasting }: Answer<unknown>,
): void {
  const { answers, output, revalidated, authentication } = operation;
  const told = output.headers?.of(value as never) ?? {};
  for (const name in told) reply.header(name, told[name] as string);
  if (body !== undefined) setPolicy(reply, body.type, operation);
  if (language !== undefined) reply.header('Content-Language', language);
  const lastingFor = authentication === 'none' ? 'by-all' : 'by-caller';
  const { etag, coding } = body ?? {};
  if (coding !== undefined) reply.vary('Accept-Encoding');
  if (etag !== undefined) reply.header('ETag', etag);
  const keeping = lasting ? lastingFor : revalidated ? 'revalidated' : 'not-kept';
  if (etag !== undefined && isKept(reply.request.raw.headers['if-none-match'], etag)) {
    reply.send(304, undefined, keeping);
    return;
  }
  if (coding !== undefined && coding !== 'identity') reply.header('Content-Encoding', coding);
  reply.send(answers ?? 200, body, keeping);
}

/** The API below whose paths a target lies; one that cannot be decoded is compared as it is written. */
function apiIn(url: string): Api | undefined {
  const path = pathOf(url);
  return apiAt(isRefusal(path) ? url.split('/').slice(1) : path);
}

/** What a refused request led to, as far as that was found out. */
export interface RefusedAt {
  readonly operation?: AnyOperation;
  /** Without one, `Accept` decides between html and json. */
  readonly format?: Format;
}

/** Sends a refusal with its status, challenge and document. */
export function sendRefusal(
  reply: Reply,
  refusal: Refusal,
  { operation, format }: RefusedAt,
  signed: Pick<ErrorContext, 'now' | 'signature'>,
): void {
  const { headers } = reply.request.raw;
  const { accept } = headers;
  const status = STATUS[refusal.refused];
  const api = operation === undefined ? apiIn(reply.request.originalUrl) : operation.api;
  const requestId = reply.request.id;
  const context = { api, format: format ?? formatByAccept(accept), accept, requestId, ...signed };
  const { type, body } = errorDocument(refusal, context);
  if (status === 401) {
    // Whoever lacks a client's credential is no browser: the challenge names what is taken (RFC 6749 section 5.2).
    const scheme = api?.name !== 'oauth2' && isFromPageScript(headers) ? 'AlfTicket' : 'Basic';
    reply.header('WWW-Authenticate', `${scheme} realm="Tessera"`);
  }
  if (refusal.retryAfter !== undefined) reply.header('Retry-After', refusal.retryAfter);
  reply.told.refusal = refusal;
  reply.told.operation = operation?.id;
  setPolicy(reply, type);
  reply.send(status, { type, text: body });
}
