import type { Server } from 'node:http';
import { Socket } from 'node:net';
import { Writable } from 'node:stream';
import type { HttpRequest, HttpResponse, ResponseWriter } from '../http-request.ts';
import { PlainRequest, readHead, responseHead } from './message.ts';

/**
 * A stream that writes text to the socket in chunks (RFC 9112 section 7.1) and closes it at the end. By the last chunk, which
 * is empty, a client sees that the text came to its end.
 */
function chunked(socket: Socket): Writable {
  const text = new Writable({
    decodeStrings: true,
    write(bytes: Buffer, _encoding, done) {
      if (bytes.length === 0) return done();
      socket.cork();
      socket.write(`${bytes.length.toString(16)}\r\n`, 'latin1');
      socket.write(bytes);
      const hasRoom = socket.write('\r\n', 'latin1');
      socket.uncork();
      if (hasRoom) done();
      else socket.once('drain', done);
    },
    final(done) {
      socket.end('0\r\n\r\n', 'latin1', done);
    },
    destroy(fault, done) {
      socket.destroy();
      done(fault);
    },
  });
  socket.once('close', () => text.destroy()).on('error', () => text.destroy());
  return text;
}

/** What plain requests are read and answered with. */
interface PlainParts {
  readonly nextRequestId: () => string;
  /** Takes a plain request. */
  readonly onRequest: (request: HttpRequest, writer: ResponseWriter) => void;
  /** Called with a connection after it was handed to Node. */
  readonly onLeft: (socket: Socket) => void;
  /** Takes a connection on which nothing came for `deadline`. */
  readonly onSilent: (socket: Socket) => void;
  /** Milliseconds for the first request to come. */
  readonly deadline: number;
  /** Milliseconds for each further request to come, from the answer to the one before. */
  readonly keepAlive: number;
}

type Listener = (socket: Socket) => void;

/**
 * Reads plain requests without Node's HTTP, which spends as much on a request as reading it and writing its answer costs.
 * Every other request goes to Node, and its connection with it. A connection that `admits` rejects is closed at once.
 */
export function takePlain(
  server: Server,
  parts: PlainParts & { readonly admits: (accepted: Socket) => boolean },
): void {
  const open = new Set<PlainConnection>();
  const [toNode, ...others] = server.listeners('connection') as [Listener, ...Listener[]];
  const leave = (socket: Socket) => {
    toNode.call(server, socket);
    parts.onLeft(socket);
  };
  server.removeAllListeners('connection');
  server.on('connection', (accepted: Socket) => {
    if (!parts.admits(accepted)) return void accepted.destroy();
    const socket = readInPlace(accepted, (bytes) => connection.take(bytes));
    for (const other of others) other.call(server, socket ?? accepted);
    if (socket === undefined) return leave(accepted);
    const forget = () => open.delete(connection);
    const connection = new PlainConnection(socket, parts, () => {
      socket.off('close', forget);
      forget();
      leave(socket);
    });
    open.add(connection);
    socket.once('close', forget);
  });
  closeWith(server, open);
}

/** Makes a stop of the server close these connections, which Node does not know. */
function closeWith(server: Server, open: ReadonlySet<PlainConnection>): void {
  const closeIdle = server.closeIdleConnections.bind(server);
  server.closeIdleConnections = () => {
    for (const connection of open) connection.endIfIdle();
    closeIdle();
  };
  const closeAll = server.closeAllConnections.bind(server);
  server.closeAllConnections = () => {
    for (const connection of open) connection.cut();
    closeAll();
  };
}

/** Takes the bytes of one read, which are overwritten by the next read. Returns whether to read on. */
export type OnBytes = (bytes: Buffer) => boolean;

/** What Node keeps of an accepted connection; its types lack these. */
interface SocketInternals {
  _handle: { useUserBuffer?: unknown } | null | undefined;
  server?: object | null;
  _server?: object | null;
}

/** Every connection is read into this buffer: the bytes of a read are used up before the next one. */
const BUFFER = Buffer.allocUnsafeSlow(65_536);

/**
 * Returns a new socket for the connection of `accepted`, which must not be used any more. It passes the bytes of each read
 * to `onBytes`, without a buffer for each read and without the book-keeping of a stream. Node documents this for
 * connections that a program opens (`onread`); for accepted ones it takes names that are not in Node's types. If a Node
 * lacks them, this returns undefined and leaves `accepted` as it was.
 */
export function readInPlace(accepted: Socket, onBytes: OnBytes): Socket | undefined {
  const internals = accepted as unknown as SocketInternals;
  const handle = internals._handle;
  if (typeof handle?.useUserBuffer !== 'function') return undefined;
  internals._handle = null;
  const socket = new Socket({
    // Node's types know only one kind of handle.
    handle: handle as never,
    allowHalfOpen: accepted.allowHalfOpen,
    onread: { buffer: BUFFER, callback: (count) => onBytes(BUFFER.subarray(0, count)) },
  });
  // The server counts its connections by these.
  const { server, _server } = internals;
  return Object.assign(socket, { server, _server });
}

/**
 * A connection on which only plain requests have come, each after the answer to the one before. At the first bytes of any
 * other kind it is handed to Node, with these bytes and for good.
 */
export class PlainConnection implements ResponseWriter {
  readonly #socket: Socket;
  readonly #parts: PlainParts;
  readonly #leave: () => void;
  #isLeft = false;
  #isAnswering = false;
  #hasAnswered = false;
  /** Whether more bytes came before the answer was written. */
  #hasMore = false;
  /** Whether the client has closed its side. */
  #hasEnded = false;

  /** `leave` hands the connection to Node. */
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
    const isLast = response.isLast || this.#hasEnded;
    const { text, encoding } = response;
    const head = responseHead(response, isLast ? undefined : this.#parts.keepAlive / 1_000);
    this.#isAnswering = false;
    this.#hasAnswered = true;
    // Node must not get a connection that is closed.
    if (this.#socket.destroyed) return;
    this.#send(head, text, encoding);
    if (isLast) this.#socket.destroySoon();
    else if (this.#hasMore) this.#handOver();
    else this.#awaitNext();
  }

  stream(head: Pick<HttpResponse, 'status' | 'headers'>): Writable {
    const socket = this.#socket;
    // A client that stops reading is dropped without another answer, which would end up in the text.
    this.#hasAnswered = true;
    const headers = [...head.headers, 'Transfer-Encoding', 'chunked'];
    const whole = { ...head, headers, text: '', encoding: 'latin1', isLast: true } as const;
    socket.write(responseHead(whole, undefined), 'latin1');
    socket.once('end', () => socket.destroy()).once('finish', () => socket.destroy());
    return chunked(socket);
  }

  /** Closes the connection after the bytes that are being sent, unless a request is being answered. */
  endIfIdle(): void {
    if (!this.#isAnswering) this.#socket.destroySoon();
  }

  /** Closes the connection at once. */
  cut(): void {
    this.#socket.destroy();
  }

  /** Takes the bytes of one read, and copies them unless they are a plain request. Returns whether to read on. */
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
    this.#hasEnded = true;
    this.endIfIdle();
  };

  readonly #onTimeout = () => {
    const hasUnsent = this.#socket.writableLength > 0;
    if (this.#isAnswering && !hasUnsent) return;
    if (this.#hasAnswered) this.#socket.destroy();
    else this.#parts.onSilent(this.#socket);
  };

  // A client that resets its connection expects no answer.
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

  /** Waits for the next request. While the client does not read its answers, the connection is not read either. */
  #awaitNext(): void {
    const socket = this.#socket;
    if (socket.timeout !== this.#parts.keepAlive) socket.setTimeout(this.#parts.keepAlive);
    if (socket.writableLength < socket.writableHighWaterMark) return;
    socket.pause();
    socket.once('drain', () => socket.resume());
  }

  /** Stops reading until the answer is written. The system then takes no more bytes from the client. */
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
