import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { readInPlace } from './accepted.ts';
import { PlainConnection, type PlainParts } from './connection.ts';

/** What a connection meets first. */
export interface FrontParts {
  /** Whether an accepted connection may stay; one that may not is closed at once. */
  readonly admits: (accepted: Socket) => boolean;
}

type Listener = (socket: Socket) => void;

/**
 * Has plain requests taken without Node's HTTP, which spends as much on one as reading and writing it costs. All others are
 * left to the server, and so are their connections.
 */
export function takePlain(server: Server, parts: PlainParts & FrontParts): void {
  const open = new Set<PlainConnection>();
  const [toNode, ...others] = server.listeners('connection') as [Listener, ...Listener[]];
  const leave = (socket: Socket) => {
    toNode.call(server, socket);
    parts.onLeft(socket);
  };
  server.removeAllListeners('connection');
  server.on('connection', (accepted: Socket) => {
    if (!parts.admits(accepted)) return void accepted.destroy();
    const socket = readInPlace(accepted, (bytes) => connection.take(bytes));
    for (const other of others) other.call(server, socket ?? accepted);
    if (socket === undefined) return leave(accepted);
    const forget = () => open.delete(connection);
    const connection = new PlainConnection(socket, parts, () => {
      socket.off('close', forget);
      forget();
      leave(socket);
    });
    open.add(connection);
    socket.once('close', forget);
  });
  stopWith(server, open);
}

/** Has a stop of the server reach the connections that it does not know of. */
function stopWith(server: Server, open: ReadonlySet<PlainConnection>): void {
  const closeIdle = server.closeIdleConnections.bind(server);
  server.closeIdleConnections = () => {
    for (const connection of open) connection.endIfIdle();
    closeIdle();
  };
  const closeAll = server.closeAllConnections.bind(server);
  server.closeAllConnections = () => {
    for (const connection of open) connection.cut();
    closeAll();
  };
}
