import { Server } from 'node:http';
import type { Socket } from 'node:net';

/** How often it is looked whose answers lie unsent, in milliseconds. */
const EVERY = 1_000;
/** The same once the server is to stop. */
const EVERY_AT_STOP = 50;

/** Whether bytes of its answers have not left yet. */
const hasUnsent = ({ writableLength }: Socket) => writableLength > 0;

function connectionsOf(server: Server): ReadonlySet<Socket> {
  const open = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
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
  server.closeIdleConnections = () => {
    if ([...open].some(hasUnsent)) setTimeout(() => server.closeIdleConnections(), EVERY_AT_STOP);
    else Server.prototype.closeIdleConnections.call(server);
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
