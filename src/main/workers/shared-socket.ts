import { subscribe } from 'node:diagnostics_channel';
import { once } from 'node:events';
import { type AddressInfo, Server } from 'node:net';
import { closeAtOwnConnection, type ListeningSocket } from '../../core/http/listen.ts';

/** A connection that the system has accepted, as Node passes it to a listener. */
interface AcceptedConnection {
  getpeername(out: { port?: number }): number;
}

/** Node's handle of a listening socket. */
interface ListeningHandle {
  onconnection(fault: number, connection?: AcceptedConnection): void;
  listen(backlog: number): number;
  close(): void;
}

/** The listening socket of this handle. */
const socketOf = (handle: ListeningHandle, address: AddressInfo): ListeningSocket => ({
  address,
  setBacklog: (most) => handle.listen(most),
  watch(onTaken) {
    const pass = handle.onconnection;
    handle.onconnection = (fault, connection) => {
      const from: { port?: number } = {};
      connection?.getpeername(from);
      onTaken(from.port);
      pass.call(handle, fault, connection);
    };
    return () => {
      handle.onconnection = pass;
    };
  },
  close: () => handle.close(),
});

/** Milliseconds within which the workers take the connections that wait for them. */
const PASSED_WITHIN = 2_000;

/**
 * The socket that all workers share. `node:cluster` listens on it in the primary process, takes the connections and passes them to
 * the workers. It shows the socket to nobody, and closes it with the last worker: connections that it has not taken by then
 * would be reset.
 */
export class SharedSocket {
  /** Sockets of `node:cluster`, by their ports. All other servers of this process are of a class of their own. */
  readonly #sockets = new Map<number, ListeningSocket>();

  constructor() {
    subscribe('tracing:net.server.listen:asyncEnd', (message) => {
      const { server } = message as { readonly server: Server };
      if (Object.getPrototypeOf(server) !== Server.prototype) return;
      const { _handle: handle } = server as unknown as { readonly _handle: ListeningHandle };
      const address = server.address() as AddressInfo;
      this.#sockets.set(address.port, socketOf(handle, address));
    });
  }

  /** Makes the socket of this URL take no new connections. Resolves once the workers have those that were taken. */
  async listenNoMore(url: string): Promise<void> {
    const { port, protocol } = new URL(url);
    const socket = this.#sockets.get(Number(port || (protocol === 'https:' ? 443 : 80)));
    const last = socket && (await closeAtOwnConnection(socket));
    // A worker closes this connection, which is empty. Connections are passed in their order.
    last?.resume().end();
    if (last)
      await once(last, 'close', { signal: AbortSignal.timeout(PASSED_WITHIN) }).catch(() => undefined);
    last?.destroy();
  }
}
