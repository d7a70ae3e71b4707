import type { IncomingMessage } from 'node:http';
import type { FastifyReply } from 'fastify';
import { endUnread } from './connection-faults.ts';
import type { HttpResponse, ResponseWriter } from './http-request.ts';
import { noteAnswer } from './unanswered.ts';

/** Whether a request has a body whose end has not come. */
function isUnread({ complete, headers }: IncomingMessage): boolean {
  if (complete) return false;
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

/**
 * Writes an answer to Node's own response, since fastify's way through its hooks takes as long as all else about an answer.
 */
export class NodeResponse implements ResponseWriter {
  readonly #reply: FastifyReply;

  constructor(reply: FastifyReply) {
    this.#reply = reply;
  }

  write({ status, headers, text, encoding, isLast }: HttpResponse): void {
    const { raw } = this.#reply.hijack();
    const unread = isUnread(raw.req);
    if (unread || isLast) raw.shouldKeepAlive = false;
    if (unread) endUnread(raw);
    raw.writeHead(status, headers as string[]).end(text, encoding);
    noteAnswer(raw.req.socket);
  }
}
