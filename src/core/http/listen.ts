import cluster from 'node:cluster';
import { lookup } from 'node:dns/promises';
import { once } from 'node:events';
import { type AddressInfo, connect, Server, type Socket } from 'node:net';
import { setTimeout as pause, setImmediate as turn } from 'node:timers/promises';
import { Server as TlsServer } from 'node:tls';
import { assertSocket, type InheritedPlace, socketPathOf } from './inherited-socket.ts';
import { claimPath, listenAtPath, removePath } from './unix-socket.ts';

const WHY: Record<string, string> = {
  EADDRINUSE: 'another program, perhaps Tessera itself, listens there: stop it, or choose another port',
  EACCES: 'this needs more rights: choose a port from 1024 on',
  EADDRNOTAVAIL: 'this machine has no such address: choose one that it has',
  ENOTFOUND: 'there is no such address: choose one that this machine has',
};

const WHY_NOT_AT_PATH: Record<string, string> = {
  EADDRINUSE: 'another program, perhaps Tessera itself, listens there: stop it, or choose another path',
  ENOTSOCK: 'something that is no socket is there: remove it, or choose another path',
  EACCES: 'this user has too few rights: let it write to the folder, or choose another one',
  ENOENT: 'there is no such folder: make it',
};

const WHY_NOT_INHERITED: Record<string, string> = {
  EBADF: 'it is not open: let systemd start the service',
  ENOTSOCK: 'it is no socket: let systemd start the service',
  EINVAL: 'nothing can listen on it: name it with ListenStream= and set Accept=no in the unit of the socket',
  EPROTONOSUPPORT:
    'a Unix socket does not speak TLS: remove TESSERA_TLS_CERT and TESSERA_TLS_KEY, or name a port in the unit of the socket',
};

/** Where a server listens, such as `http://127.0.0.1:8080` or `unix:/run/tessera/http.sock`. */
function urlOf(server: Server): string {
  const bound = server.address() as AddressInfo | string;
  if (typeof bound === 'string') return `unix:${bound}`;
  const { address, family, port } = bound;
  const scheme = server instanceof TlsServer ? 'https' : 'http';
  return `${scheme}://${family === 'IPv6' ? `[${address}]` : address}:${port}`;
}

/** A port of an address to listen on, and the setting that names it. */
interface PortPlace {
  readonly host: string;
  readonly port: number;
  readonly setting: string;
}

/** A Unix socket to listen on, with the mode of its file, and the setting that names it. */
interface SocketPlace {
  readonly path: string;
  readonly mode: number;
  readonly setting: string;
}

/** Where to listen. */
export type ListeningPlace = PortPlace | SocketPlace | InheritedPlace;

/** A place in words, and what the codes of the system mean there. */
function meaningOf(place: ListeningPlace): [string, Record<string, string>] {
  if ('fd' in place) return ['the socket that was passed', WHY_NOT_INHERITED];
  return 'path' in place ? [place.path, WHY_NOT_AT_PATH] : [`${place.host} port ${place.port}`, WHY];
}

/** Why the server cannot listen at a place, in a sentence with the mend. */
export class CannotListen extends Error {
  override name = 'CannotListen';
  /** Whether another program listens there. */
  readonly isInUse: boolean;

  constructor(place: ListeningPlace, cause: NodeJS.ErrnoException) {
    const { code = '', message } = cause;
    const [where, why] = meaningOf(place);
    super(`cannot listen on ${where} (${place.setting}): ${why[code] ?? message}`, { cause });
    this.isInUse = code === 'EADDRINUSE';
  }
}

/** Makes the server listen at one place, and returns its URL. Throws {@link CannotListen}. */
export async function listen(server: Server, place: ListeningPlace): Promise<string> {
  await assertPathFree(place);
  try {
    if ('fd' in place) return await listenOnInherited(server, place);
    if ('path' in place) await listenAtPath(server, place.path, place.mode);
    else await once(server.listen({ host: place.host, port: place.port }), 'listening');
  } catch (error) {
    throw new CannotListen(place, error as NodeJS.ErrnoException);
  }
  return urlOf(server);
}

/** Servers on sockets that outlive the process. */
const INHERITED = new WeakSet<Server>();

async function listenOnInherited(server: Server, { fd }: InheritedPlace): Promise<string> {
  assertSocket(fd);
  await once(server.listen({ fd }), 'listening');
  INHERITED.add(server);
  // Node knows no address of a Unix socket that it has not bound.
  if (server.address() !== null) return urlOf(server);
  if (server instanceof TlsServer) throw Object.assign(new Error('no TLS'), { code: 'EPROTONOSUPPORT' });
  return `unix:${socketPathOf(fd)}`;
}

/**
 * Throws {@link CannotListen} if the place is a path at which nothing can listen. A socket that a dead process has left there is
 * removed. Workers share the socket of the primary process, which calls this before it starts them.
 */
export async function assertPathFree(place: ListeningPlace): Promise<void> {
  if (!('path' in place) || cluster.isWorker) return;
  await claimPath(place.path).catch((error) => {
    throw new CannotListen(place, error);
  });
}

/** The address by which a server that listens on all addresses reaches itself. */
const OWN_ADDRESS: Record<string, string> = { '0.0.0.0': '127.0.0.1', '::': '::1' };

/** A port at which hardly anything listens, and the milliseconds that a connection to it may take. */
const UNUSED_PORT = 1;
const ANSWERED_WITHIN = 1_000;

/**
 * Throws {@link CannotListen} if no server can listen at this place now. To find out about a port it connects from there to a port of this
 * machine: the system refuses to do so from an address that is taken. A listener would take connections that it cannot answer.
 */
export async function assertFree(place: ListeningPlace): Promise<void> {
  if ('fd' in place) return;
  if ('path' in place) return assertPathFree(place);
  const { host, port } = place;
  if (port === 0) return;
  const { address } = await lookup(host).catch((error: NodeJS.ErrnoException) => {
    throw new CannotListen(place, error);
  });
  const to = { host: OWN_ADDRESS[address] ?? address, port: UNUSED_PORT };
  const probe = connect({ ...to, localAddress: address, localPort: port });
  try {
    await once(probe, 'connect', { signal: AbortSignal.timeout(ANSWERED_WITHIN) });
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    if (code in WHY) throw new CannotListen(place, error as NodeJS.ErrnoException);
  } finally {
    probe.destroy();
  }
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

/** How often the server tries to connect to itself, and the milliseconds between two tries. */
const MOST_TRIES = 20;
const BETWEEN_TRIES = 20;

/** The turns of the event loop in which no connection comes before none is left. Each asks the system for the next one. */
const TURNS_WITHOUT = 3;

/**
 * Closes a Unix socket once this process has taken all connections that were made to it. Nobody can make one without its path,
 * which is removed first.
 */
export async function closeAtPath({ path, watch, close }: UnixSocket): Promise<void> {
  let without = 0;
  const endWatch = watch(() => {
    without = 0;
  });
  removePath(path);
  while (without < TURNS_WITHOUT) {
    without += 1;
    await turn();
  }
  endWatch();
  close();
}

/** A Unix socket on which this process listens. */
export interface UnixSocket {
  readonly path: string;
  /** Calls for each connection that this process takes, until what it returns is called. */
  watch(onTaken: () => void): () => void;
  close(): void;
}

/** A socket of a port on which this process listens. */
export interface ListeningSocket {
  readonly address: AddressInfo;
  /** Has the system queue this many connections at most, and one. */
  setBacklog(most: number): void;
  /** Calls with the port of each client whose connection this process takes, until what it returns is called. */
  watch(onTaken: (port: number | undefined) => void): () => void;
  close(): void;
}

/**
 * Closes a listening socket at a moment when the system holds no connection that this process has not taken: the system would
 * reset such a connection. This process limits the queue of the system to one connection, and then connects to itself. When it
 * takes its own connection, the queue is empty, and it closes the socket at once. Returns the end of the connection that it
 * made, or undefined if it took none.
 */
export async function closeAtOwnConnection(socket: ListeningSocket): Promise<Socket | undefined> {
  const { address, port } = socket.address;
  const own: Socket[] = [];
  let taken: Socket | undefined;
  const closed = new AbortController();
  const endWatch = socket.watch((from) => {
    if (from !== undefined) taken ??= own.find(({ localPort }) => localPort === from);
    if (taken === undefined || closed.signal.aborted) return;
    socket.close();
    closed.abort();
  });
  socket.setBacklog(0);
  for (let left = MOST_TRIES; left > 0 && !closed.signal.aborted; left -= 1) {
    // The connections that wait are taken first: with one in the queue there is no room for this one.
    await turn();
    own.push(connect(port, OWN_ADDRESS[address] ?? address).on('error', () => undefined));
    await pause(BETWEEN_TRIES, undefined, closed).catch(() => undefined);
  }
  endWatch();
  for (const each of own) if (each !== taken) each.destroy();
  return taken;
}

/** The handle of a listening server, which Node's types lack. */
interface ListeningServer {
  readonly _handle?: { listen?(backlog: number): number } | null;
}

/** Calls with each connection that a server in a single process takes, until what it returns is called. */
function watchConnections(server: Server, onConnection: (socket: Socket) => void): () => void {
  server.prependListener('connection', onConnection);
  return () => server.off('connection', onConnection);
}

/** The listening socket of a server in a single process. */
const socketOf = (server: Server): ListeningSocket => ({
  address: server.address() as AddressInfo,
  setBacklog: (most) => (server as ListeningServer)._handle?.listen?.(most),
  watch: (onTaken) => watchConnections(server, ({ remotePort }) => onTaken(remotePort)),
  close: () => closeListener(server),
});

/** Closes the listening socket of a server in a single process. Resolves to whether it had taken all connections. */
async function closeOwn(server: Server): Promise<boolean> {
  if (INHERITED.has(server)) {
    // Connections that wait are not reset: systemd keeps the socket, and the next process takes them.
    closeListener(server);
    return true;
  }
  const bound = server.address();
  if (typeof bound === 'string') {
    const watch = (onTaken: () => void) => watchConnections(server, onTaken);
    await closeAtPath({ path: bound, watch, close: () => closeListener(server) });
    return true;
  }
  const own = await closeAtOwnConnection(socketOf(server));
  own?.destroy();
  return own !== undefined;
}

/** Closes the listening socket alone. The method of the same name of an HTTP server closes idle connections as well. */
const closeListener = (server: Server) => Server.prototype.close.call(server);

/** Milliseconds in which connections that were accepted just now may still arrive at the server. */
const ARRIVAL = 100;

/**
 * Makes the server take no new connections. Open ones go on, idle ones too. Resolves once all connections that were on their
 * way have come, or no connection is left.
 */
export async function listenNoMore(server: Server): Promise<void> {
  if (!server.listening) return;
  const arrived = new AbortController();
  server.once('close', () => arrived.abort());
  // Of workers the primary process takes the connections (`main/workers/shared-socket.ts`).
  const isClosed = !cluster.isWorker && (await closeOwn(server));
  if (!isClosed) {
    await quietMoment();
    closeListener(server);
  }
  await pause(ARRIVAL, undefined, arrived).catch(() => undefined);
}

/** After so many milliseconds in which no client used up a connection, the others count as idle. */
const UNUSED = 1_000;
/** Milliseconds in which clients may use up the connections that they keep, in all. */
const USED_UP = 5_000;
const LOOK_EVERY = 50;

/**
 * Waits until no connection is left of a server that takes no new ones and closes each after its next answer. Waits on while
 * clients use them, 5 s at most: a connection that is closed as idle while other requests come may have one on its way.
 */
export async function untilUsedUp(server: Server): Promise<void> {
  const giveUpAt = performance.now() + USED_UP;
  let fewest = Number.POSITIVE_INFINITY;
  let usedAt = performance.now();
  while (performance.now() < giveUpAt) {
    const open = await openConnections(server);
    if (open < fewest) usedAt = performance.now();
    fewest = Math.min(fewest, open);
    if (open === 0 || performance.now() - usedAt > UNUSED) return;
    await pause(LOOK_EVERY);
  }
}

const openConnections = (server: Server) =>
  new Promise<number>((resolve) => server.getConnections((fault, count) => resolve(fault ? 0 : count)));
