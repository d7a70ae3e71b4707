import { Refused, Unreadable } from './failures.ts';
import type { Code } from './shapes.ts';

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

/**
 * The refusal in an answer: a problem document (RFC 9457), a status document, or a bare status. A sentence that repeats
 * one of `secrets` is left out, whole: what stays of it could tell what was taken away.
 */
export function refusalIn(
  { status, headers }: Response,
  text: string,
  secrets: readonly string[],
  now: number,
): Refused {
  const document = (parsed(text) ?? {}) as Readonly<Record<string, unknown>>;
  const said = [document.detail, document.message].find(
    (words): words is string =>
      typeof words === 'string' && !secrets.some((secret) => words.includes(secret)),
  );
  const code = typeof document.code === 'string' ? (document.code as Code) : 'unnamed';
  const retryAfter = secondsIn(headers.get('retry-after'), now);
  const requestId = headers.get('x-request-id') ?? undefined;
  const message = (said ?? `The server answered ${status}`).replace(MASKED, 'TICKET_***');
  return new Refused(message, { code, status, retryAfter, requestId });
}

/** The value in an answer that says yes; throws {@link Unreadable} where it is not what the operation answers. */
export function valueIn<A>(text: string, answers: (body: unknown) => body is A): A {
  const body = parsed(text);
  if (!answers(body)) throw new Unreadable('The answer is not one of this API: check the base URL');
  return body;
}
