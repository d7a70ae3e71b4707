import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { Answer, AnyOperation } from '../operation.ts';
import { showsNothing } from '../representations/nothing.ts';
import type { Format } from '../representations/representation.ts';
import { MEDIA_TYPES, write } from './formats/write.ts';
import type { Content } from './reply.ts';

/** A body as it is sent, with its strong entity tag (RFC 9110 section 8.8.3) where clients may keep it. */
export interface Body extends Content {
  readonly etag?: string;
}

/** Bodies that are kept, by number and by bytes, those of what they are kept under included. */
const KEPT = {
  max: 1_000,
  maxSize: 32_000_000,
  sizeCalculation: ({ text }: Body, key: string) => key.length + text.length,
};

function bodyOf({ output, revalidated }: AnyOperation, { value }: Answer<unknown>, format: Format): Body {
  const text = write(output, value as never, format);
  const body = { type: MEDIA_TYPES[format], text };
  return revalidated
    ? { ...body, etag: `"${createHash('sha256').update(text).digest('base64url').slice(0, 22)}"` }
    : body;
}

/** Makes the bodies of answers; those that are said to be the same are made once. */
export class Bodies {
  readonly #kept = new LRUCache<string, Body>(KEPT);

  /** The body of an answer; nothing for an operation that shows nothing. */
  of(operation: AnyOperation, answer: Answer<unknown>, format: Format): Body | undefined {
    if (showsNothing(operation.output)) return undefined;
    if (answer.sameAs === undefined) return bodyOf(operation, answer, format);
    const key = `${operation.id} ${format} ${answer.sameAs}`;
    const kept = this.#kept.get(key);
    if (kept !== undefined) return kept;
    const made = bodyOf(operation, answer, format);
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
