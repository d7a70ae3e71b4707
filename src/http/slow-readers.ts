import type { Server } from 'node:http';
import type { Socket } from 'node:net';

/** How often it is looked whose answers lie unsent, in milliseconds. */
const EVERY = 1_000;

/**
 * Ends connections whose other end takes nothing of its answers for `patience` milliseconds, give or take a second: they would
 * keep their places among those that are allowed for ever. Whoever reads slowly is left alone.
 */
export function endSilentReaders(server: Server, patience: number): void {
  const open = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    open.add(socket);
    socket.once('close', () => open.delete(socket));
  });
  const watch = setInterval(() => {
    for (const socket of open) {
      // Node ends the connection when nothing moves on it for that long. A limit from the start would cost each request a timer.
      const limit = socket.timeout || Number.POSITIVE_INFINITY;
      if (socket.writableLength > 0 && limit > patience) socket.setTimeout(patience);
    }
  }, EVERY).unref();
  server.once('close', () => clearInterval(watch));
}
