import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import Negotiator from 'negotiator';
import type { Answer, AnyOperation, CompressedBody } from '../operation.ts';
import { showsNothing } from '../representations/nothing.ts';
import type { Format } from '../representations/representation.ts';
import { MEDIA_TYPES, write } from './formats/write.ts';
import type { BodyContent } from './reply.ts';

/** How a body is coded that is there in several content codings. */
type Coding = keyof CompressedBody | 'identity';

/** The codings that are offered, the smallest first. */
const CODINGS: readonly Coding[] = ['br', 'gzip', 'identity'];

/** A body as it is sent, with its strong entity tag (RFC 9110 section 8.8.3) where clients may keep it. */
export interface Body extends BodyContent {
  readonly etag?: string;
  /** Which coding was chosen by `Accept-Encoding`; absent where there is no choice. */
  readonly coding?: Coding;
}

/** The smallest coding that the caller accepts; the body as it is where the caller accepts none of them. */
function codingFor(acceptEncoding: string | undefined): Coding {
  const accepted = new Negotiator({ headers: { 'accept-encoding': acceptEncoding } }).encodings([...CODINGS]);
  return CODINGS.find((coding) => accepted.includes(coding)) ?? 'identity';
}

/** Bodies that are kept, by number and by bytes, those of what they are kept under included. */
const KEPT = {
  max: 1_000,
  maxSize: 32_000_000,
  sizeCalculation: ({ text }: Body, key: string) => key.length + text.length,
};

function bodyOf(
  { output, revalidated }: AnyOperation,
  { value, compressed }: Answer<unknown>,
  format: Format,
  coding?: Coding,
): Body {
  const coded = coding === undefined || coding === 'identity' ? undefined : compressed?.[coding];
  const text = coded ?? write(output, value as never, format);
  const body = { type: MEDIA_TYPES[format], text, ...(coding && { coding }) };
  return revalidated
    ? { ...body, etag: `"${createHash('sha256').update(text).digest('base64url').slice(0, 22)}"` }
    : body;
}

/** Makes the bodies of answers; those that are said to be the same are made once. */
export class Bodies {
  readonly #kept = new LRUCache<string, Body>(KEPT);

  /** The body of an answer, coded as the caller accepts it; nothing for an operation that shows nothing. */
  of(
    operation: AnyOperation,
    answer: Answer<unknown>,
    format: Format,
    acceptEncoding?: string,
  ): Body | undefined {
    if (showsNothing(operation.output)) return undefined;
    if (answer.sameAs === undefined) return bodyOf(operation, answer, format);
    const coding = answer.compressed && codingFor(acceptEncoding);
    const key = `${operation.id} ${format} ${coding ?? ''} ${answer.sameAs}`;
    const kept = this.#kept.get(key);
    if (kept !== undefined) return kept;
    const made = bodyOf(operation, answer, format, coding);
    const body = { ...made, text: Buffer.from(made.text) };
    this.#kept.set(key, body);
    return body;
  }
}

/** Whether `If-None-Match` names this tag, weakly or strongly, or any. */
export function isKept(ifNoneMatch: string | undefined, etag: string): boolean {
  if (ifNoneMatch === undefined) return false;
  return (
    ifNoneMatch.trim() === '*' ||
    ifNoneMatch.split(',').some((tag) => tag.trim().replace(/^W\//, '') === etag)
  );
}
