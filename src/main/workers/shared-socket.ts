import { subscribe } from 'node:diagnostics_channel';
import { once } from 'node:events';
import { type AddressInfo, connect, Server } from 'node:net';
import { resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { closeAtOwnConnection, closeAtPath, type ListeningSocket } from '../../core/http/listen.ts';
import { socketPathIn } from '../../core/settings/combinations.ts';

/** A connection that the system has accepted, as Node passes it to a listener. */
interface AcceptedConnection {
  getpeername(out: { port?: number }): number;
  close(): void;
}

/** Node's handle of a listening socket. */
interface ListeningHandle {
  onconnection(fault: number, connection?: AcceptedConnection): void;
  listen(backlog: number): number;
  close(): void;
}

/** Calls with each connection that this handle takes, before a worker has it, until what it returns is called. */
function watchHandle(
  handle: ListeningHandle,
  onTaken: (connection: AcceptedConnection | undefined) => void,
): () => void {
  const pass = handle.onconnection;
  handle.onconnection = (fault, connection) => {
    onTaken(connection);
    pass.call(handle, fault, connection);
  };
  return () => {
    handle.onconnection = pass;
  };
}

/** The listening socket of this handle. */
const socketOf = (handle: ListeningHandle, address: AddressInfo): ListeningSocket => ({
  address,
  setBacklog: (most) => handle.listen(most),
  watch: (onTaken) =>
    watchHandle(handle, (connection) => {
      const from: { port?: number } = {};
      connection?.getpeername(from);
      onTaken(from.port);
    }),
  close: () => handle.close(),
});

/** Resolves once a worker has confirmed this connection: then the primary process closes its own copy. */
function passed(connection: AcceptedConnection): Promise<void> {
  const { promise, resolve: tellPassed } = Promise.withResolvers<void>();
  const close = connection.close.bind(connection);
  connection.close = () => {
    tellPassed();
    close();
  };
  return promise;
}

/** Milliseconds within which the workers take the connections that wait for them. */
const PASSED_WITHIN = 2_000;

/**
 * The socket that all workers share. `node:cluster` listens on it in the primary process, takes the connections and passes them to
 * the workers. It shows the socket to nobody, and closes it with the last worker: connections that it has not taken by then
 * would be reset.
 */
export class SharedSocket {
  /** Handles of `node:cluster`, by their ports or paths. All other servers of this process are of a class of their own. */
  readonly #handles = new Map<number | string, ListeningHandle>();
  readonly #addresses = new Map<number, AddressInfo>();

  constructor() {
    subscribe('tracing:net.server.listen:asyncEnd', (message) => {
      const { server } = message as { readonly server: Server };
      if (Object.getPrototypeOf(server) !== Server.prototype) return;
      const { _handle: handle } = server as unknown as { readonly _handle: ListeningHandle };
      const bound = server.address() as AddressInfo | string;
      // `node:cluster` binds the path from the working folder if that is shorter.
      this.#handles.set(typeof bound === 'string' ? resolve(bound) : bound.port, handle);
      if (typeof bound !== 'string') this.#addresses.set(bound.port, bound);
    });
  }

  /** Makes the socket of this URL take no new connections. Resolves once the workers have those that were taken. */
  async listenNoMore(url: string): Promise<void> {
    const path = socketPathIn(url);
    if (path === undefined) await this.#closePort(url);
    else await this.#closePath(path);
  }

  /** Connections are passed in their order, so the others are passed before the last one, and there is one at least. */
  async #closePath(path: string): Promise<void> {
    const handle = this.#handles.get(path);
    if (handle === undefined) return;
    const own = connect(path).on('error', () => undefined);
    let last: Promise<void> | undefined;
    const watch = (onTaken: () => void) =>
      watchHandle(handle, (connection) => {
        last = connection && passed(connection);
        onTaken();
      });
    await closeAtPath({ path, watch, close: () => handle.close() });
    await Promise.race([last, pause(PASSED_WITHIN, undefined, { ref: false })]);
    own.destroy();
  }

  async #closePort(url: string): Promise<void> {
    const { port: text, protocol } = new URL(url);
    const port = Number(text || (protocol === 'https:' ? 443 : 80));
    const [handle, address] = [this.#handles.get(port), this.#addresses.get(port)];
    const last = handle && address && (await closeAtOwnConnection(socketOf(handle, address)));
    // A worker closes this connection, which is empty. Connections are passed in their order.
    last?.resume().end();
    if (last)
      await once(last, 'close', { signal: AbortSignal.timeout(PASSED_WITHIN) }).catch(() => undefined);
    last?.destroy();
  }
}
