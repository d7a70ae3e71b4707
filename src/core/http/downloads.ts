import { once } from 'node:events';
import type { Writable } from 'node:stream';
import type { Answer } from '../answer.ts';
import { isRefusal, type Refusal } from '../domain/refusal.ts';
import { MEDIA_TYPES, write } from './formats.ts';
import type { Reply } from './reply.ts';
import type { ResolvedRequest } from './resolve-request.ts';
import { type CallInParts, refusalOfAnother } from './streams.ts';

/** Each part of a download reads a page of a list. */
const LIMITS = { inAll: 20, ofCaller: 3 };
/** Milliseconds that a client may read nothing before its download is cut. */
const PATIENCE = 30_000;

/** Thrown to cut a download: its file is not whole, so its connection must not end as if it were. */
class CutOff extends Error {}

/**
 * Sends files in parts: each part is the answer of a call of its own, made when the client has read the one before. So a
 * download holds one part in memory, and ends when its caller's ticket does. A client sees a download that is cut as one
 * that broke off.
 */
export class Downloads {
  /** Each with its caller. */
  readonly #open = new Map<Writable, string>();
  readonly #onFault: (fault: unknown, requestId: string) => void;

  constructor(onFault: (fault: unknown, requestId: string) => void) {
    this.#onFault = onFault;
  }

  /** The refusal of another download for this caller, a user or an API key; undefined if it gets one. */
  refusalFor(caller: string): Refusal<'streams_full'> | undefined {
    return refusalOfAnother(caller, [...this.#open.values()], LIMITS);
  }

  /** Sends the first part of a file, and all others as the client reads them. */
  open(reply: Reply, found: ResolvedRequest, first: Answer<unknown>, { caller, ask }: CallInParts): void {
    const { operation, format } = found;
    const name = `${operation.id.split('/').at(-2)}.${format}`;
    reply.header('Content-Disposition', `attachment; filename="${name}"`);
    const writable = reply.stream(MEDIA_TYPES[format]);
    this.#open.set(writable, caller);
    writable.once('close', () => this.#open.delete(writable));
    writable.on('error', () => writable.destroy());
    const textOf = ({ value }: Answer<unknown>) => write(operation.output, value as never, format);
    void sendParts(writable, first, textOf, ask).catch((fault) => {
      if (!(fault instanceof CutOff)) this.#onFault(fault, reply.request.id);
      writable.destroy();
    });
  }
}

async function sendParts(
  writable: Writable,
  first: Answer<unknown>,
  textOf: (part: Answer<unknown>) => string,
  ask: CallInParts['ask'],
): Promise<void> {
  for (let part = first; ; ) {
    if (writable.destroyed) return;
    if (!writable.write(textOf(part))) await drained(writable);
    if (part.goesOnAt === undefined) break;
    const { result } = await ask(part.goesOnAt);
    if (isRefusal(result)) throw new CutOff(result.refused);
    part = result;
  }
  writable.end();
}

/** Waits until the client has read what was written. Throws if it reads nothing for {@link PATIENCE}, or leaves. */
async function drained(writable: Writable): Promise<void> {
  const left = new AbortController();
  const leave = () => left.abort();
  writable.once('close', leave);
  try {
    await once(writable, 'drain', { signal: AbortSignal.any([left.signal, AbortSignal.timeout(PATIENCE)]) });
  } catch {
    throw new CutOff();
  } finally {
    writable.off('close', leave);
  }
}
