import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';
import type { Refusal } from '../domain/refusal.ts';
import { ConnectionFaults } from './connection-faults.ts';
import { ConnectionsPerAddress } from './connections-per-address.ts';
import { answerCarried } from './fastify-requests.ts';
import { type CarrierParts, carrier, KEEP_ALIVE } from './fastify-server.ts';
import { Handler, type HandlerParts } from './handle.ts';
import type { HttpRequest, ResponseWriter } from './http-request.ts';
import { listenNoMore } from './listen.ts';
import { takePlain } from './plain/front.ts';
import { Reply, type ReplyParts } from './reply.ts';
import { STATUS } from './status.ts';
import { HSTS, takeSecure } from './tls/server.ts';
import { boundUnanswered } from './unanswered.ts';

/** What the server works with. */
export interface ServerParts extends HandlerParts, CarrierParts, Omit<ReplyParts, 'isClosing' | 'headers'> {}

/**
 * The public server. Plain requests are read from their connections, and all others carried by fastify; either are handled
 * in the same way. Over TLS fastify carries all of them. The paths are found by `routes.ts`, since the specification's templates need more than fastify offers.
 */
export function buildServer(parts: ServerParts): FastifyInstance {
  const { clock, signature, nextRequestId, addresses, onFault, limits, tls } = parts;
  const headers: readonly string[] = tls === undefined ? [] : HSTS;
  const onRefused = (refusal: Refusal, id: string, socket: Socket) => {
    const address = addresses.ofPeer(socket);
    parts.onAnswered({ id, refusal, status: STATUS[refusal.refused], address });
  };
  const faults = new ConnectionFaults({ clock, signature, nextRequestId, headers, onRefused });
  const handler = new Handler(parts);
  const server = carrier(parts, (fault, socket) => faults.handle(fault, socket));
  let closing = false;
  server.addHook('preClose', async () => {
    closing = true;
    await listenNoMore(server.server);
  });
  const replyParts = { ...parts, headers, isClosing: () => closing };
  const replyTo = (request: HttpRequest, writer: ResponseWriter) => new Reply(request, writer, replyParts);
  answerCarried(server, { handler, faults, replyTo, onFault });
  const perAddress = new ConnectionsPerAddress(addresses, limits.connectionsPerAddress);
  server.server.on('connection', (socket: Socket) => perAddress.count(socket));
  const admits = (accepted: Socket) => {
    if (!perAddress.isBeyond(accepted)) return true;
    parts.onDropped('address', addresses.ofPeer(accepted));
    return false;
  };
  if (tls !== undefined) {
    takeSecure(server.server, { admits, onSecure: boundUnanswered });
    return server;
  }
  takePlain(server.server, {
    nextRequestId,
    admits,
    onRequest: (request, writer) => void handler.handle(replyTo(request, writer)),
    onLeft: boundUnanswered,
    onSilent: (socket) => faults.timeOut(socket),
    deadline: limits.requestDeadline,
    keepAlive: KEEP_ALIVE,
  });
  return server;
}
