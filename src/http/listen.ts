import { once } from 'node:events';
import { type AddressInfo, Server } from 'node:net';
import { setTimeout as pause, setImmediate as turn } from 'node:timers/promises';
import { Server as TlsServer } from 'node:tls';

const WHY: Record<string, string> = {
  EADDRINUSE: 'another program, perhaps Tessera itself, listens there: stop it, or choose another port',
  EACCES: 'this needs more rights: choose a port from 1024 on',
  EADDRNOTAVAIL: 'this machine has no such address: choose one that it has',
  ENOTFOUND: 'there is no such address: choose one that this machine has',
};

/** Where a server listens, such as `http://127.0.0.1:8080`. */
function urlOf(server: Server): string {
  const { address, family, port } = server.address() as AddressInfo;
  const scheme = server instanceof TlsServer ? 'https' : 'http';
  return `${scheme}://${family === 'IPv6' ? `[${address}]` : address}:${port}`;
}

/** Where to listen, and the setting that names the port. */
interface ListeningPlace {
  readonly host: string;
  readonly port: number;
  readonly setting: string;
}

/** Why the server cannot listen on a port, in a sentence with the mend. */
export class CannotListen extends Error {
  override name = 'CannotListen';
  /** Whether another program listens there. */
  readonly isInUse: boolean;

  constructor({ host, port, setting }: ListeningPlace, cause: NodeJS.ErrnoException) {
    const { code = '', message } = cause;
    super(`cannot listen on ${host} port ${port} (${setting}): ${WHY[code] ?? message}`, { cause });
    this.isInUse = code === 'EADDRINUSE';
  }
}

/** Waits until the server listens. Throws {@link CannotListen}. */
async function open(server: Server, place: ListeningPlace, exclusive: boolean): Promise<void> {
  const { host, port } = place;
  try {
    await once(server.listen({ host, port, exclusive }), 'listening');
  } catch (error) {
    throw new CannotListen(place, error as NodeJS.ErrnoException);
  }
}

/** Makes the server listen at one address, and returns its URL. Throws {@link CannotListen}. */
export async function listen(server: Server, place: ListeningPlace): Promise<string> {
  await open(server, place, false);
  return urlOf(server);
}

/** Throws {@link CannotListen} if no server can listen at this address now. Listens there for a moment to find out. */
export async function assertFree(place: ListeningPlace): Promise<void> {
  const probe = new Server((socket) => socket.destroy());
  // Exclusive: a worker asks the system, and not its primary process.
  await open(probe, place, true);
  await once(probe.close(), 'close');
}

/** A turn of the event loop that is shorter, in milliseconds, has done next to nothing. */
const QUIET = 0.2;
const MOST_TURNS = 200;

/**
 * Waits for a turn of the event loop in which little happened. A connection that the system has accepted, and this process not
 * yet, is reset when the server stops to listen: after a short turn there is hardly one.
 */
async function quietMoment(): Promise<void> {
  for (let left = MOST_TURNS; left > 0; left -= 1) {
    const began = performance.now();
    await turn();
    if (performance.now() - began < QUIET) return;
  }
}

/** Milliseconds in which connections that were accepted just now may still arrive at the server. */
const ARRIVAL = 100;

/**
 * Makes the server take no new connections. Open ones go on, idle ones too. Resolves once all connections that were on their
 * way have come, or no connection is left.
 */
export async function listenNoMore(server: Server): Promise<void> {
  await quietMoment();
  const arrived = new AbortController();
  server.once('close', () => arrived.abort());
  // The method of the same name of an HTTP server closes idle connections as well.
  Server.prototype.close.call(server);
  await pause(ARRIVAL, undefined, arrived).catch(() => undefined);
}

/** Milliseconds in which clients may use up the connections that they keep. */
const USED_UP = 1_000;

/**
 * Waits until no connection is left of a server that takes no new ones and closes each after its next answer. Waits for a
 * second at most: a connection that no client has used for so long is seldom closed while a request is on its way on it.
 */
export async function untilUsedUp(server: Server): Promise<void> {
  const gone = new AbortController();
  server.once('close', () => gone.abort());
  server.getConnections((_, count) => {
    if (count === 0) gone.abort();
  });
  await pause(USED_UP, undefined, { signal: gone.signal }).catch(() => undefined);
}
