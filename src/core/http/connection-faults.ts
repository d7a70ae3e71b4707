import { type ServerResponse, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { type Refusal, type RefusalCode, refuse } from '../domain/refusal.ts';
import { errorDocument } from './error-document.ts';
import { STATUS } from './status.ts';

const CODES: Record<string, RefusalCode> = {
  ERR_HTTP_REQUEST_TIMEOUT: 'request_too_slow',
  HPE_HEADER_OVERFLOW: 'headers_too_large',
};
const HOW_TO_ESCAPE =
  'in a URL write a space as %20, and a character beyond ASCII as UTF-8 in percent escapes';
const ONE_LINE =
  'write each header field in one line, as its name, a colon and a value without control characters; where the value is base64, have that made without line breaks';
/** The mend of each fault of the parser: a character beyond ASCII or a space in a URL, or a header field. */
const MENDS: Record<string, string> = {
  HPE_INVALID_URL: HOW_TO_ESCAPE,
  HPE_INVALID_CONSTANT: HOW_TO_ESCAPE,
  HPE_INVALID_HEADER_TOKEN: ONE_LINE,
  HPE_CR_EXPECTED: ONE_LINE,
};
/** Milliseconds that a refused client has to close its side. */
const LINGER = 1_000;

/** The answer to the last request on a connection. Earlier ones are sent before it. */
const LAST = Symbol('last answer');
/** The answer after which a connection is closed. */
const ENDS_AFTER = Symbol('ends after');
type Noted = Socket & { [LAST]?: ServerResponse; [ENDS_AFTER]?: ServerResponse };

/** The refusal of a request that is cut off or cannot be read as HTTP. */
export function refusalOf({ code = '' }: NodeJS.ErrnoException): Refusal {
  const detail = MENDS[code];
  if (detail !== undefined) return refuse('request_malformed', { detail });
  return refuse(CODES[code] ?? 'request_malformed');
}

/**
 * Closes a connection once all bytes have left, even if the client does not close its side for `linger` milliseconds: it would count
 * as one of the allowed connections.
 */
function end(socket: Socket, bytes?: string, linger = LINGER): void {
  const cutLate = () => {
    if (socket.destroyed) return;
    // A timeout of the socket would begin anew with each byte that the client still sends.
    const cut = setTimeout(() => socket.destroy(), linger);
    socket.once('close', () => clearTimeout(cut));
  };
  // Bytes, even none, would be a fault if the connection is being closed already.
  if (bytes === undefined) socket.end(cutLate);
  else socket.end(bytes, cutLate);
}

/** Closes a connection after an answer. Further calls for the same answer do nothing. */
function endAfter(answer: ServerResponse, socket: Noted): void {
  // Nothing more is read: a client that sends single bytes and reads nothing would never count as stalled.
  if (socket.writableLength > 0) socket.pause();
  if (socket[ENDS_AFTER] === answer) return;
  socket[ENDS_AFTER] = answer;
  answer.once('finish', () => end(socket.resume()));
}

/**
 * Discards what still comes after the last answer of a connection, for a moment or for `linger` milliseconds. If the connection were
 * closed at once, a client that is still writing would lose the answer.
 */
export function lingerBehindLast(socket: Socket, linger?: number): void {
  // Node calls this after the last answer.
  socket.destroySoon = () => end(socket, undefined, linger);
}

/** Closes a connection after an answer that is given before its whole request has come. */
export function endUnread({ req }: ServerResponse): void {
  req.resume();
  lingerBehindLast(req.socket);
}

/** Answers on the bare socket: the bytes could not be read as a request. */
function writeRefusal(
  socket: Socket,
  refusal: Refusal,
  requestId: string,
  parts: ConnectionFaultsParts,
): void {
  const { clock, signature, headers } = parts;
  const context = { requestId, now: clock(), signature };
  const { type, body } = errorDocument(refusal, { format: 'json', accept: undefined, ...context });
  const [name, value] = headers;
  const further = name === undefined ? '' : `${name}: ${value}\r\n`;
  const status = STATUS[refusal.refused];
  end(
    socket,
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nContent-Type: ${type}\r\nContent-Length: ${Buffer.byteLength(body)}\r\n` +
      `Cache-Control: no-cache, no-store\r\nPragma: no-cache\r\nX-Content-Type-Options: nosniff\r\nX-Request-Id: ${requestId}\r\n` +
      `${further}Connection: close\r\n\r\n${body}`,
  );
}

interface ConnectionFaultsParts {
  readonly clock: () => number;
  /** How the service signs its refusals. */
  readonly signature: string;
  readonly nextRequestId: () => string;
  /** A further header of each answer, as its name and its value; empty for none. */
  readonly headers: readonly string[];
  /** Called with each refusal of bytes that could not be read as a request. */
  readonly onRefused: (refusal: Refusal, requestId: string, socket: Socket) => void;
}

/**
 * Handles connections whose bytes cannot be read. Stray bytes after a request (an old proxy writes `{}` after a GET) do not
 * affect answers in flight: they are sent, then the connection is closed.
 */
export class ConnectionFaults {
  readonly #parts: ConnectionFaultsParts;

  constructor(parts: ConnectionFaultsParts) {
    this.#parts = parts;
  }

  /** Notes the answer that a request will get. */
  note(answer: ServerResponse): void {
    (answer.req.socket as Noted)[LAST] = answer;
  }

  /** Refuses a connection on which no request came in time. */
  timeOut(socket: Socket): void {
    this.handle(Object.assign(new Error('no request came'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' }), socket);
  }

  handle(fault: NodeJS.ErrnoException, socket: Socket): void {
    if (!socket.writable) {
      socket.destroy();
      return;
    }
    const answer = (socket as Noted)[LAST];
    if (answer === undefined || (answer.writableFinished && answer.req.complete)) {
      this.#refuse(fault, socket);
      return;
    }
    const request = answer.req;
    answer.shouldKeepAlive = false;
    if (answer.writableFinished) end(socket);
    else endAfter(answer, socket);
    // The reader of the body waits for the rest, which never comes.
    if (!request.complete && request.listenerCount('error') > 0) request.emit('error', fault);
  }

  #refuse(fault: NodeJS.ErrnoException, socket: Socket): void {
    const { nextRequestId, onRefused } = this.#parts;
    const refusal = refusalOf(fault);
    const requestId = nextRequestId();
    writeRefusal(socket, refusal, requestId, this.#parts);
    onRefused(refusal, requestId, socket);
  }
}
