import type { Api } from '../api.ts';
import { messageOf, type Refusal, type RefusalCode } from '../domain/refusal.ts';
import { oauthErrorShown } from '../representations/oauth2/error.ts';
import { type Format, formatsOf } from '../representations/representation.ts';
import { problemShown, type StatusCode, statusShown } from '../representations/status.ts';
import { v1ErrorShown } from '../representations/v1/error.ts';
import { redact } from '../telemetry/redaction.ts';
import { MEDIA_TYPES, write } from './formats/write.ts';
import { v1KeyOf } from './v1-error-keys.ts';

/** The status of each refusal (`wire.md` section 7). */
export const STATUS: Record<RefusalCode, StatusCode> = {
  username_missing: 400,
  password_missing: 400,
  password_too_long: 400,
  body_unreadable: 400,
  form_unreadable: 400,
  token_missing: 400,
  client_secret_in_body: 400,
  login_failed: 403,
  login_by_get_off: 403,
  cross_site_login: 403,
  passwords_unavailable: 503,
  hash_queue_full: 503,
  ticket_not_found: 404,
  ticket_id_unknown: 400,
  ticket_not_presented: 400,
  store_not_found: 404,
  node_not_found: 404,
  path_not_found: 404,
  definition_not_found: 404,
  grouping_unknown: 404,
  operation_not_found: 404,
  nodes_unavailable: 503,
  authentication_needed: 401,
  ticket_needed: 401,
  client_unknown: 401,
  tickets_of_two_users: 400,
  path_unknown: 404,
  method_wrong: 405,
  format_unknown: 406,
  formats_differ: 400,
  argument_invalid: 400,
  argument_repeated: 400,
  escape_broken: 400,
  request_malformed: 400,
  body_too_large: 413,
  url_too_long: 414,
  headers_too_large: 431,
  request_too_slow: 408,
  store_unavailable: 503,
  internal: 500,
};

/** What an error answer depends on beside its refusal. */
export interface ErrorContext {
  /** The API that was called; without one it is a web script. */
  readonly api?: Api | undefined;
  readonly format: Format;
  readonly accept: string | undefined;
  readonly requestId: string;
  /** Epoch milliseconds. */
  readonly now: number;
}

/** Media types are compared without case (RFC 9110 section 8.3.1). */
function accepts(accept: string | undefined, type: string): boolean {
  return accept?.toLowerCase().includes(type) ?? false;
}

/** The format of an error where none could be chosen: html for people, else json. */
export function formatByAccept(accept: string | undefined): Format {
  return accepts(accept, 'text/html') ? 'html' : 'json';
}

/** The error document: `wire.md` section 7 or that of the API, or RFC 9457 for those who accept it. */
export function errorDocument(
  refusal: Refusal,
  { api, format, accept, requestId, now }: ErrorContext,
): { type: string; body: string } {
  const code = STATUS[refusal.refused];
  const sentence = redact(messageOf(refusal));
  const message = refusal.refused === 'internal' ? `${sentence}, request ${requestId}` : sentence;
  if (accepts(accept, 'application/problem+json')) {
    const problem = { code, message, refused: refusal.refused };
    return { type: 'application/problem+json', body: write(problemShown, problem, 'json') };
  }
  if (api?.name === 'v1') {
    const error = { key: v1KeyOf(refusal.refused, code), code, message, requestId };
    return { type: MEDIA_TYPES.json, body: write(v1ErrorShown, error, 'json') };
  }
  if (api?.name === 'oauth2')
    return { type: MEDIA_TYPES.json, body: write(oauthErrorShown, { code, message }, 'json') };
  const readable = formatsOf(statusShown).includes(format) ? format : 'json';
  return { type: MEDIA_TYPES[readable], body: write(statusShown, { code, message, at: now }, readable) };
}
