import { type ServerResponse, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { type RefusalCode, refuse } from '../domain/refusal.ts';
import { errorDocument, STATUS } from './status.ts';

const CODES: Record<string, RefusalCode> = {
  ERR_HTTP_REQUEST_TIMEOUT: 'request_too_slow',
  HPE_HEADER_OVERFLOW: 'headers_too_large',
};

/** What could not be read as a request, answered on the bare socket. */
function writeRefusal(socket: Socket, code: RefusalCode, requestId: string, now: number): void {
  const { type, body } = errorDocument(refuse(code), { format: 'json', accept: undefined, requestId, now });
  const status = STATUS[code];
  socket.end(
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nContent-Type: ${type}\r\nContent-Length: ${Buffer.byteLength(body)}\r\n` +
      `Cache-Control: no-cache, no-store\r\nPragma: no-cache\r\nX-Content-Type-Options: nosniff\r\nConnection: close\r\n\r\n${body}`,
  );
}

/**
 * Mends connections whose bytes cannot be read. Stray bytes behind a request (an old proxy writes `{}` after a GET)
 * do not spoil the answer in flight: it is given, then the connection is closed.
 */
export class ConnectionFaults {
  readonly #inFlight = new WeakMap<Socket, ServerResponse>();
  readonly #clock: () => number;

  constructor(clock: () => number) {
    this.#clock = clock;
  }

  /** Notes the answer that is being made on a connection. */
  note(response: ServerResponse): void {
    if (response.socket !== null) this.#inFlight.set(response.socket, response);
  }

  handle(fault: NodeJS.ErrnoException, socket: Socket, requestId: string): void {
    if (fault.code === 'ECONNRESET' || !socket.writable) {
      socket.destroy();
      return;
    }
    const answer = this.#inFlight.get(socket);
    if (answer === undefined || answer.writableFinished) {
      writeRefusal(socket, CODES[fault.code ?? ''] ?? 'request_malformed', requestId, this.#clock());
      return;
    }
    answer.shouldKeepAlive = false;
    answer.once('finish', () => socket.end());
  }
}
