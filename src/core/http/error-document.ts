import Negotiator from 'negotiator';
import type { Api } from '../api.ts';
import { redact } from '../domain/redaction.ts';
import { messageOf, type Refusal } from '../domain/refusal.ts';
import { oauthErrorShown, scimErrorShown, v1ErrorShown } from '../representations/api-error.ts';
import { type Format, formatsOf, type Representation } from '../representations/representation.ts';
import { type ApiError, problemShown, statusShown } from '../representations/status.ts';
import { MEDIA_TYPES, write } from './formats.ts';
import { STATUS } from './status.ts';

/** The shape of errors of each API. Web scripts have their own, and the portal shows pages. */
export const ERRORS: Readonly<Record<Exclude<Api['name'], 'portal'>, Representation<ApiError>>> = {
  v1: v1ErrorShown,
  oauth2: oauthErrorShown,
  admin: problemShown,
  scim: scimErrorShown,
};

/** The media type of a problem document (RFC 9457). */
const PROBLEM = 'application/problem+json';

/** What an error answer depends on besides its refusal. */
export interface ErrorContext {
  /** The API that was called; undefined for a web script. */
  readonly api?: Api | undefined;
  readonly format: Format;
  readonly accept: string | undefined;
  readonly requestId: string;
  /** Epoch milliseconds. */
  readonly now: number;
  /** How the service signs a status document. */
  readonly signature: string;
}

/** Whether `Accept` names this media type itself, and not only by a wildcard, with a weight above 0. */
function accepts(accept: string | undefined, type: string): boolean {
  // Case means nothing in a media type (RFC 9110 section 8.3.1).
  const ranges = accept?.toLowerCase();
  // Most clients name neither of the two types.
  if (!ranges?.includes(type)) return false;
  return new Negotiator({ headers: { accept: ranges } }).mediaTypes().includes(type);
}

/** The format of an error that could not be chosen otherwise: html for people, otherwise json. */
export function formatByAccept(accept: string | undefined): Format {
  return accepts(accept, 'text/html') ? 'html' : 'json';
}

/** The sentence of a refusal, without secrets. That of a fault names the request, which the log describes. */
export function sentenceOf(refusal: Refusal, requestId: string): string {
  const sentence = redact(messageOf(refusal));
  return refusal.refused === 'internal' ? `${sentence}, request ${requestId}` : sentence;
}

/** The error document: that of the specification, section 7, or of the API, or that of RFC 9457 if the caller accepts it. */
export function errorDocument(
  refusal: Refusal,
  { api, format, accept, requestId, now, signature }: ErrorContext,
): { type: string; body: string } {
  const code = STATUS[refusal.refused];
  const message = sentenceOf(refusal, requestId);
  const detail = refusal.detail && redact(refusal.detail);
  const error = { code, message, refused: refusal.refused, requestId, detail };
  if (api?.name === 'admin' || accepts(accept, PROBLEM))
    return { type: PROBLEM, body: write(problemShown, error, 'json') };
  if (api !== undefined && api.name !== 'portal')
    return { type: api.mediaType ?? MEDIA_TYPES.json, body: write(ERRORS[api.name], error, 'json') };
  const readable = formatsOf(statusShown).includes(format) ? format : 'json';
  const document = { code, message, at: now, signature };
  return { type: MEDIA_TYPES[readable], body: write(statusShown, document, readable) };
}
