import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { Server as TlsServer } from 'node:tls';

/** How often it is looked whose answers lie unsent, in milliseconds. */
const EVERY = 1_000;
/** The same once the server is to stop. */
const EVERY_AT_STOP = 50;

/** Whether bytes of its answers have not left yet. */
const hasUnsent = ({ writableLength }: Socket) => writableLength > 0;

function connectionsOf(server: Server): ReadonlySet<Socket> {
  const open = new Set<Socket>();
  // Over TLS this socket holds what was not sent, and not the one below it.
  const event = server instanceof TlsServer ? 'secureConnection' : 'connection';
  server.on(event, (socket: Socket) => {
    open.add(socket);
    socket.once('close', () => open.delete(socket));
  });
  return open;
}

function endSilentOnes(server: Server, open: ReadonlySet<Socket>, patience: number): void {
  const watch = setInterval(() => {
    for (const socket of open) {
      // Node ends the connection when nothing moves on it for that long. A limit from the start would cost each request a timer.
      const limit = socket.timeout || Number.POSITIVE_INFINITY;
      if (hasUnsent(socket) && limit > patience) socket.setTimeout(patience);
    }
  }, EVERY).unref();
  server.once('close', () => clearInterval(watch));
}

/**
 * A stop begins with closing what is idle, and to Node that is also a connection whose answer is on its way: nothing is
 * closed as long as there is one. The deadline of the stop bounds that.
 */
function spareAtStop(server: Server, open: ReadonlySet<Socket>): void {
  const closeIdle = server.closeIdleConnections.bind(server);
  server.closeIdleConnections = () => {
    if ([...open].some(hasUnsent)) setTimeout(() => server.closeIdleConnections(), EVERY_AT_STOP);
    else closeIdle();
  };
}

/**
 * Leaves whoever reads its answers slowly alone, also when the server is to stop: idle connections are closed once
 * nothing is on its way any more. Ends connections whose other end takes nothing of its answers for `patience`
 * milliseconds, give or take a second: they would keep their places among those that are allowed for ever.
 */
export function mindSlowReaders(server: Server, patience: number): void {
  const open = connectionsOf(server);
  endSilentOnes(server, open, patience);
  spareAtStop(server, open);
}
