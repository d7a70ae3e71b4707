import { codeIn } from './codes.ts';
import { Refused, Unreadable } from './failures.ts';

const MASKED = /TICKET_\w+/g;

/** Seconds in `Retry-After`, which is a number of them or a date (RFC 9110 section 10.2.3). */
function secondsIn(header: string | null, now: number): number | undefined {
  if (header === null) return undefined;
  if (/^\d+$/.test(header)) return Number(header);
  const at = Date.parse(header);
  return Number.isNaN(at) ? undefined : Math.max(0, Math.ceil((at - now) / 1_000));
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The text, unless it repeats one of these secrets. */
function unlessRepeating(secrets: readonly string[], text: unknown): string | undefined {
  if (typeof text !== 'string' || secrets.some((secret) => text.includes(secret))) return undefined;
  return text.replace(MASKED, 'TICKET_***');
}

/**
 * The refusal in an answer: a problem document (RFC 9457), a status document, or a bare status. A text that repeats one
 * of `secrets` is left out entirely: the rest of it could show what was removed.
 */
export function refusalIn(
  { status, headers }: Response,
  text: string,
  secrets: readonly string[],
  now: number,
): Refused {
  const document = (parsed(text) ?? {}) as Readonly<Record<string, unknown>>;
  const safe = (words: unknown) => unlessRepeating(secrets, words);
  const code = codeIn(document.code);
  const retryAfter = secondsIn(headers.get('retry-after'), now);
  const requestId = safe(headers.get('x-request-id'));
  const message = safe(document.detail) ?? safe(document.message) ?? `The server answered ${status}`;
  return new Refused(message, { code, status, retryAfter, requestId });
}

/** The value in a successful answer. Throws {@link Unreadable} if it is not what the operation answers. */
export function valueIn<A>(text: string, answers: (body: unknown) => body is A): A {
  const body = parsed(text);
  if (!answers(body)) throw new Unreadable('The answer is not one of this API: check the base URL');
  return body;
}
