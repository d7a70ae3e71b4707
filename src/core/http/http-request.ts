import type { IncomingMessage } from 'node:http';
import type { Writable } from 'node:stream';

/** The head of a request, as Node has it. */
export type RequestHead = Pick<
  IncomingMessage,
  'method' | 'httpVersion' | 'headers' | 'headersDistinct' | 'socket'
>;

/** A request from the plain reader or from fastify, whose requests have this shape. */
export interface HttpRequest {
  /** Names the request in the log. */
  readonly id: string;
  /** When reading it began, by the monotonic clock, in milliseconds. */
  readonly began: number;
  /** The target as it was sent. */
  readonly originalUrl: string;
  readonly raw: RequestHead;
  /** The bytes of the body; undefined if there is none. */
  readonly body: unknown;
}

/** An answer, ready to be written. */
export interface HttpResponse {
  readonly status: number;
  /** Names and values in turn, without `Date`, `Connection` and `Keep-Alive`, which the writer adds. */
  readonly headers: readonly string[];
  readonly text: string | Buffer;
  /** The encoding of a `text` that is a string. */
  readonly encoding: 'latin1' | 'utf8';
  /** Whether the connection is closed after it. */
  readonly isLast: boolean;
}

/** Writes the one answer to a request. */
export interface ResponseWriter {
  write(response: HttpResponse): void;
  /**
   * Writes the head of an answer, and returns the stream that takes its text. The connection ends with the answer, and is
   * closed as soon as the client closes its side.
   */
  stream(head: Pick<HttpResponse, 'status' | 'headers'>): Writable;
}
