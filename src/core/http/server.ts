import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';
import type { Refusal } from '../domain/refusal.ts';
import type { RequestTracing } from '../telemetry/request-tracing.ts';
import { ConnectionFaults } from './connection-faults.ts';
import { ConnectionsPerAddress, limitUnanswered } from './connection-limits.ts';
import { createFastifyServer, type FastifyParts, KEEP_ALIVE } from './fastify-server.ts';
import { Handler, type HandlerParts } from './handle.ts';
import type { HttpRequest, ResponseWriter } from './http-request.ts';
import { listenNoMore } from './listen.ts';
import { takePlain } from './plain/connection.ts';
import { STATUS } from './status.ts';
import { HSTS, takeSecure } from './tls/server.ts';

/** What the server works with. */
interface ServerParts extends Omit<HandlerParts, 'headers'>, FastifyParts {
  /** Follows the requests in traces, if that is asked for. */
  readonly tracing?: RequestTracing | undefined;
}

/** Handles each request in a span. Only a trusted proxy says which trace a request belongs to, and whether it is recorded. */
class TracedHandler extends Handler {
  readonly #tracing: RequestTracing;
  readonly #addresses: HandlerParts['addresses'];

  constructor(parts: HandlerParts, tracing: RequestTracing) {
    super(parts);
    this.#tracing = tracing;
    this.#addresses = parts.addresses;
  }

  override handle(request: HttpRequest, writer: ResponseWriter): Promise<void> {
    return this.#follow(request, () => super.handle(request, writer));
  }

  override refuse(request: HttpRequest, writer: ResponseWriter, refusal: Refusal): void {
    this.#follow(request, () => super.refuse(request, writer, refusal));
  }

  #follow<T>({ raw, began }: HttpRequest, handle: () => T): T {
    const { traceparent, tracestate } = this.#addresses.isBehindProxy(raw) ? raw.headers : {};
    const sent = { traceparent: textOf(traceparent), tracestate: textOf(tracestate) };
    return this.#tracing.follow({ method: raw.method ?? '', began, ...sent }, handle);
  }
}

/** A field that may be given several times, as one text. */
const textOf = (field: string | string[] | undefined) => (Array.isArray(field) ? field.join() : field);

/** The public server. */
export interface PublicServer {
  readonly fastify: FastifyInstance;
  /** From now on each connection is closed after its next answer. Streams end now. */
  closeAfterAnswers(): void;
}

/**
 * The public server. Plain requests are read from their connections, and fastify reads all others; over TLS it reads them
 * all. Both are handled in the same way.
 */
export function buildServer(parts: ServerParts): PublicServer {
  const { clock, signature, nextRequestId, addresses, limits, tls } = parts;
  const headers: readonly string[] = tls === undefined ? [] : HSTS;
  const onRefused = (refusal: Refusal, id: string, socket: Socket) => {
    const address = addresses.ofPeer(socket);
    parts.onAnswered({ id, refusal, status: STATUS[refusal.refused], address });
  };
  const faults = new ConnectionFaults({ clock, signature, nextRequestId, headers, onRefused });
  const handled = { ...parts, headers };
  const handler = parts.tracing ? new TracedHandler(handled, parts.tracing) : new Handler(handled);
  const server = createFastifyServer(parts, handler, faults);
  const built = { fastify: server, closeAfterAnswers: () => handler.closeAfterAnswers() };
  server.addHook('preClose', async () => {
    handler.closeAfterAnswers();
    await listenNoMore(server.server);
  });
  const perAddress = new ConnectionsPerAddress(addresses, limits.connectionsPerAddress);
  server.server.on('connection', (socket: Socket) => perAddress.count(socket));
  const admits = (accepted: Socket) => {
    if (!perAddress.isBeyond(accepted)) return true;
    parts.onDropped('address', addresses.ofPeer(accepted));
    return false;
  };
  if (tls !== undefined) {
    takeSecure(server.server, { admits, onSecure: limitUnanswered });
    return built;
  }
  takePlain(server.server, {
    nextRequestId,
    admits,
    onRequest: handler.handle.bind(handler),
    onLeft: limitUnanswered,
    onSilent: (socket) => faults.timeOut(socket),
    deadline: limits.requestDeadline,
    keepAlive: KEEP_ALIVE,
  });
  return built;
}
