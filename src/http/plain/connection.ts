import type { Socket } from 'node:net';
import type { HttpRequest, HttpResponse, ResponseWriter } from '../http-request.ts';
import { readHead } from './head.ts';
import { PlainRequest } from './request.ts';
import { responseHead } from './response-head.ts';

/** What plain requests are taken with. */
export interface PlainParts {
  readonly nextRequestId: () => string;
  /** Takes a plain request. */
  readonly onRequest: (request: HttpRequest, writer: ResponseWriter) => void;
  /** Told of a connection once it is left to Node. */
  readonly onLeft: (socket: Socket) => void;
  /** Takes a connection that has said nothing for `deadline`. */
  readonly onSilent: (socket: Socket) => void;
  /** Milliseconds for the first request to come, and for each other behind the answer to the one before. */
  readonly deadline: number;
  readonly keepAlive: number;
}

/**
 * A connection as long as nothing but plain requests come on it, each after the answer to the one before. At the first
 * bytes of another kind it is left to Node, with these bytes and for good.
 */
export class PlainConnection implements ResponseWriter {
  readonly #socket: Socket;
  readonly #parts: PlainParts;
  readonly #leave: () => void;
  #isLeft = false;
  #isAnswering = false;
  #hasAnswered = false;
  /** Whether more has come before the answer. */
  #hasMore = false;
  /** Whether the other end will say nothing more. */
  #isHeardOut = false;

  /** `leave` gives the connection to Node. */
  constructor(socket: Socket, parts: PlainParts, leave: () => void) {
    this.#socket = socket;
    this.#parts = parts;
    this.#leave = leave;
    socket.setTimeout(parts.deadline);
    socket.on('end', this.#onEnd).on('timeout', this.#onTimeout).on('error', this.#onError);
    socket.resume();
  }

  write(response: HttpResponse): void {
    if (!this.#isAnswering) throw new Error('the request is answered already');
    const isLast = response.isLast || this.#isHeardOut;
    const { text, encoding } = response;
    const head = responseHead(response, isLast ? undefined : this.#parts.keepAlive / 1_000);
    this.#isAnswering = false;
    this.#hasAnswered = true;
    // Node must not get a connection that has ended.
    if (this.#socket.destroyed) return;
    this.#send(head, text, encoding);
    if (isLast) this.#socket.destroySoon();
    else if (this.#hasMore) this.#handOver();
    else this.#wait();
  }

  /** Ends the connection behind what is on its way, unless a request is being answered. */
  endIfIdle(): void {
    if (!this.#isAnswering) this.#socket.destroySoon();
  }

  /** Ends the connection at once. */
  cut(): void {
    this.#socket.destroy();
  }

  /** Takes what was read, which is copied unless it is a plain request; says whether to read on. */
  take(bytes: Buffer): boolean {
    const socket = this.#socket;
    const head = this.#isLeft || this.#isAnswering ? undefined : readHead(bytes);
    if (head === undefined) {
      const copy = Buffer.from(bytes);
      if (this.#isAnswering) this.#holdBack();
      else if (!this.#isLeft) this.#handOver();
      return socket.push(copy);
    }
    this.#isAnswering = true;
    const { nextRequestId, onRequest } = this.#parts;
    onRequest(new PlainRequest(nextRequestId(), head, socket), this);
    return true;
  }

  readonly #onEnd = () => {
    this.#isHeardOut = true;
    this.endIfIdle();
  };

  readonly #onTimeout = () => {
    const hasUnsent = this.#socket.writableLength > 0;
    if (this.#isAnswering && !hasUnsent) return;
    if (this.#hasAnswered) this.#socket.destroy();
    else this.#parts.onSilent(this.#socket);
  };

  // Whoever resets a connection has told by that all that there is to tell.
  readonly #onError = () => this.#socket.destroy();

  #send(head: string, text: string | Buffer, encoding: BufferEncoding): void {
    const socket = this.#socket;
    if (typeof text === 'string' && encoding === 'latin1') {
      socket.write(head + text, 'latin1');
      return;
    }
    socket.cork();
    socket.write(head, 'latin1');
    socket.write(text, encoding);
    socket.uncork();
  }

  /** Waits for the next request; who takes no answers is not read on. */
  #wait(): void {
    const socket = this.#socket;
    if (socket.timeout !== this.#parts.keepAlive) socket.setTimeout(this.#parts.keepAlive);
    if (socket.writableLength < socket.writableHighWaterMark) return;
    socket.pause();
    socket.once('drain', () => socket.resume());
  }

  /** Until the answer is given, what has come waits where it is, and the system takes no more. */
  #holdBack(): void {
    this.#hasMore = true;
    this.#socket.pause();
  }

  #handOver(): void {
    const socket = this.#socket;
    this.#isLeft = true;
    socket.setTimeout(0);
    socket.off('end', this.#onEnd).off('timeout', this.#onTimeout).off('error', this.#onError);
    this.#leave();
    if (this.#hasMore) socket.resume();
  }
}
