import type { Writable } from 'node:stream';
import type { Answer } from '../answer.ts';
import { isRefusal, type Refusal, refuse } from '../domain/refusal.ts';
import type { CallOutcome } from '../gate/call.ts';
import type { AnyOperation } from '../operation.ts';
import { MEDIA_TYPES, write } from './formats.ts';
import type { Reply } from './reply.ts';

/** Each stream asks the store twice a second. */
const LIMITS = { inAll: 100, ofCaller: 10 };
/** Milliseconds from one part of a stream to the next. */
const EVERY = 500;
/** A stream is cut when its client has left text unread for this many parts: ten seconds. */
const MOST_UNREAD_PARTS = 20;
/** A comment is sent after this many parts without a message, so that no proxy takes the connection for dead. */
const SILENT_PARTS = 30;
/** Milliseconds after which a client that lost the connection asks again. */
const RETRY = 3_000;

/** Runs the call again, from this cursor on. Authenticates the caller each time. */
type Ask = (cursor: string) => Promise<CallOutcome>;

/** A call that is answered in parts: its caller, and the function that runs it again. */
export interface CallInParts {
  readonly caller: string;
  readonly ask: Ask;
}

/** The most answers in parts that one process sends at a time, and of one caller, so that others get some as well. */
interface LimitsOfParts {
  readonly inAll: number;
  readonly ofCaller: number;
}

/** The refusal of another answer in parts for this caller, beside the open ones of these callers; undefined if it gets one. */
export function refusalOfAnother(
  caller: string,
  open: readonly string[],
  { inAll, ofCaller }: LimitsOfParts,
): Refusal<'streams_full'> | undefined {
  if (open.filter((other) => other === caller).length >= ofCaller)
    return refuse('streams_full', { detail: `one caller has at most ${ofCaller}`, retryAfter: 10 });
  return open.length >= inAll ? refuse('streams_full', { retryAfter: 10 }) : undefined;
}

/**
 * The open streams of server-sent events (HTML standard, section 9.2). Each calls its operation again twice a second, so it
 * ends within a second after its ticket ended or its role was taken away.
 */
export class Streams {
  /** Each with its caller. */
  readonly #open = new Map<OpenStream, string>();
  readonly #onFault: (fault: unknown, requestId: string) => void;

  constructor(onFault: (fault: unknown, requestId: string) => void) {
    this.#onFault = onFault;
  }

  /** The refusal of another stream for this caller, a user or an API key; undefined if it gets one. */
  refusalFor(caller: string): Refusal<'streams_full'> | undefined {
    return refusalOfAnother(caller, [...this.#open.values()], LIMITS);
  }

  /**
   * Sends the first part of a stream, then all others until the client leaves, is refused, stops reading, or {@link endAll}
   * is called. A client that stopped reading continues with `Last-Event-ID`.
   */
  open(reply: Reply, operation: AnyOperation, first: Answer<unknown>, { caller, ask }: CallInParts): void {
    const writable = reply.stream(MEDIA_TYPES.stream);
    const onFault = (fault: unknown) => {
      this.#onFault(fault, reply.request.id);
      writable.destroy();
    };
    const stream = new OpenStream(writable, operation, ask, onFault);
    this.#open.set(stream, caller);
    writable.once('close', () => {
      this.#open.delete(stream);
      stream.stop();
    });
    writable.on('error', () => writable.destroy());
    stream.begin(first);
  }

  /** Ends all streams. Their clients connect again and continue where they were. */
  endAll(): void {
    for (const stream of this.#open.keys()) stream.end();
  }
}

class OpenStream {
  readonly #writable: Writable;
  readonly #operation: AnyOperation;
  readonly #ask: Ask;
  readonly #onFault: (fault: unknown) => void;
  #cursor = '';
  #silentParts = 0;
  #unreadParts = 0;
  #timer: NodeJS.Timeout | undefined;
  #hasEnded = false;

  constructor(writable: Writable, operation: AnyOperation, ask: Ask, onFault: (fault: unknown) => void) {
    this.#writable = writable;
    this.#operation = operation;
    this.#ask = ask;
    this.#onFault = onFault;
  }

  begin({ value, goesOnAt = '' }: Answer<unknown>): void {
    this.#cursor = goesOnAt;
    // The client keeps an id without data too: it can continue from here even if it got no message.
    this.#writable.write(`retry: ${RETRY}\nid: ${goesOnAt}\n\n${this.#textOf(value)}`);
    this.#schedule();
  }

  end(): void {
    this.stop();
    this.#writable.end();
  }

  stop(): void {
    this.#hasEnded = true;
    clearTimeout(this.#timer);
  }

  #textOf(value: unknown): string {
    return write(this.#operation.output, value as never, 'stream');
  }

  #schedule(): void {
    if (!this.#hasEnded) this.#timer = setTimeout(() => this.#goOn().catch(this.#onFault), EVERY).unref();
  }

  async #goOn(): Promise<void> {
    // Nothing is added to text that the client has not read, so a stream holds one part at most.
    if (this.#writable.writableNeedDrain) this.#unreadParts += 1;
    else {
      this.#unreadParts = 0;
      await this.#sendNext();
    }
    // An end would wait for the client to read, so this cuts the connection. Such a client cannot learn either that its
    // credential has ended.
    if (this.#unreadParts > MOST_UNREAD_PARTS) this.#writable.destroy();
    else this.#schedule();
  }

  async #sendNext(): Promise<void> {
    const { result } = await this.#ask(this.#cursor);
    if (this.#hasEnded) return;
    if (isRefusal(result)) {
      // A stream survives a store that cannot answer for a moment.
      if (result.retryAfter === undefined) this.end();
      return;
    }
    this.#cursor = result.goesOnAt ?? this.#cursor;
    const text = this.#textOf(result.value);
    this.#silentParts = text === '' ? this.#silentParts + 1 : 0;
    if (text !== '') this.#writable.write(text);
    else if (this.#silentParts % SILENT_PARTS === 0) this.#writable.write(':\n\n');
  }
}
