import type { IncomingMessage } from 'node:http';

/** The head of a request, as Node has it. */
export type RequestHead = Pick<
  IncomingMessage,
  'method' | 'httpVersion' | 'headers' | 'headersDistinct' | 'socket'
>;

/** A request, read by the plain reader or by fastify, whose requests have this shape. */
export interface HttpRequest {
  /** Names the request in the log. */
  readonly id: string;
  /** When it was begun to be read, by the monotonic clock, in milliseconds. */
  readonly began: number;
  /** The target as it was sent. */
  readonly originalUrl: string;
  readonly raw: RequestHead;
  /** The bytes of the body; nothing where none came. */
  readonly body: unknown;
}

/** An answer, ready to be written. */
export interface HttpResponse {
  readonly status: number;
  /** Names and values in turn, without what belongs to the connection: `Date`, `Connection`, `Keep-Alive`. */
  readonly headers: readonly string[];
  readonly text: string | Buffer;
  /** How a `text` that is a string is written. */
  readonly encoding: 'latin1' | 'utf8';
  /** Whether the connection ends behind it. */
  readonly isLast: boolean;
}

/** Writes the one answer to a request. */
export interface ResponseWriter {
  write(response: HttpResponse): void;
}
