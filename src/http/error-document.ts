import type { Api } from '../api.ts';
import { messageOf, REFUSALS, type Refusal, type RefusalCode } from '../domain/refusal.ts';
import { oauthErrorShown } from '../representations/oauth2/error.ts';
import { type Format, formatsOf, type Representation } from '../representations/representation.ts';
import { problemShown, type StatusCode, statusShown } from '../representations/status.ts';
import { type V1Error, v1ErrorShown } from '../representations/v1/error.ts';
import { redact } from '../telemetry/redaction.ts';
import { MEDIA_TYPES, write } from './formats/write.ts';
import { STATUS } from './status.ts';

/** The error document of each API beside the web scripts. */
export const ERRORS: Readonly<Record<Api['name'], Representation<V1Error>>> = {
  v1: v1ErrorShown,
  oauth2: oauthErrorShown,
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

/** The weight of what is not wanted (RFC 9110 section 12.4.2). */
const UNWANTED = /^\s*q=0(\.0*)?\s*$/;

/** Whether `Accept` names a media type; case means nothing there (RFC 9110 section 8.3.1). */
function accepts(accept: string | undefined, type: string): boolean {
  const ranges = accept?.toLowerCase();
  // Most clients name neither.
  if (!ranges?.includes(type)) return false;
  return ranges.split(',').some((range) => {
    const [named = '', ...parameters] = range.split(';');
    return named.trim() === type && !parameters.some((parameter) => UNWANTED.test(parameter));
  });
}

/** The format of an error where none could be chosen: html for people, else json. */
export function formatByAccept(accept: string | undefined): Format {
  return accepts(accept, 'text/html') ? 'html' : 'json';
}

const V1_KEYS: Partial<Record<RefusalCode | StatusCode, string>> = {
  path_unknown: 'framework.exception.NotFound',
  404: 'framework.exception.EntityNotFound',
  405: 'framework.exception.UnsupportedResourceOperation',
  413: 'framework.exception.RequestEntityTooLarge',
  503: 'framework.exception.ServiceUnavailableException',
};

/**
 * The key by which programs tell v1 errors apart, as the reference gives them: for what a request says wrong (400)
 * and what is forbidden (403) the fixed sentence itself, for the rest a word for its kind.
 */
function v1KeyOf(refused: RefusalCode, code: StatusCode): string {
  if (code === 400 || code === 403) return REFUSALS[refused];
  return V1_KEYS[refused] ?? V1_KEYS[code] ?? 'framework.exception.ApiDefault';
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
  if (api !== undefined) {
    const error = { key: v1KeyOf(refusal.refused, code), code, message, requestId };
    return { type: MEDIA_TYPES.json, body: write(ERRORS[api.name], error, 'json') };
  }
  const readable = formatsOf(statusShown).includes(format) ? format : 'json';
  return { type: MEDIA_TYPES[readable], body: write(statusShown, { code, message, at: now }, readable) };
}
