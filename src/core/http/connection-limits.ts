import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { TLSSocket, Server as TlsServer } from 'node:tls';
import type { ClientAddresses } from './client-address.ts';
import { lingerBehindLast } from './connection-faults.ts';

/** Limits the open connections of one address: an IPv4 address, or an IPv6 /64. Trusted proxies have no limit. */
export class ConnectionsPerAddress {
  readonly #open = new Map<string, number>();
  readonly #addresses: ClientAddresses;
  readonly #most: number;

  constructor(addresses: ClientAddresses, most: number) {
    this.#addresses = addresses;
    this.#most = most;
  }

  /** Whether this connection would be one too many. */
  isBeyond(socket: Socket): boolean {
    if (this.#addresses.isTrustedPeer(socket)) return false;
    return (this.#open.get(this.#addresses.ofPeer(socket)) ?? 0) >= this.#most;
  }

  /** Counts the connection until it is closed. */
  count(socket: Socket): void {
    const address = this.#addresses.ofPeer(socket);
    this.#open.set(address, (this.#open.get(address) ?? 0) + 1);
    socket.once('close', () => {
      const left = (this.#open.get(address) ?? 0) - 1;
      if (left > 0) this.#open.set(address, left);
      else this.#open.delete(address);
    });
  }
}

/** How often the server looks for stalled readers, in milliseconds. */
const CHECK_EVERY = 1_000;
/** How often it looks whether slow readers have finished once it is to stop, in milliseconds. */
const CHECK_EVERY_AT_STOP = 50;

/** Whether bytes of its answers have not left yet. */
const hasUnsent = ({ writableLength }: Socket) => writableLength > 0;

function connectionsOf(server: Server): ReadonlySet<Socket> {
  const open = new Set<Socket>();
  // Over TLS the unsent bytes are in this socket, and not in the one below it.
  const event = server instanceof TlsServer ? 'secureConnection' : 'connection';
  server.on(event, (socket: Socket) => {
    open.add(socket);
    socket.once('close', () => open.delete(socket));
  });
  return open;
}

function dropStalled(server: Server, open: ReadonlySet<Socket>, patience: number): void {
  const watch = setInterval(() => {
    for (const socket of open) {
      // Node closes the connection when nothing moves on it for that long. A timeout from the start would cost each request a timer.
      const limit = socket.timeout || Number.POSITIVE_INFINITY;
      if (hasUnsent(socket) && limit > patience) socket.setTimeout(patience);
    }
  }, CHECK_EVERY).unref();
  server.once('close', () => clearInterval(watch));
}

/**
 * At a stop Node closes idle connections, and counts a connection as idle while its answer is still being sent. So the
 * server waits until all answers are sent. The deadline of the stop limits this wait.
 */
function keepSlowAtStop(server: Server, open: ReadonlySet<Socket>): void {
  const closeIdle = server.closeIdleConnections.bind(server);
  server.closeIdleConnections = () => {
    if ([...open].some(hasUnsent)) setTimeout(() => server.closeIdleConnections(), CHECK_EVERY_AT_STOP);
    else closeIdle();
  };
}

/**
 * Keeps slow readers, drops stalled ones. A client that reads its answers slowly gets all of them, also when the server
 * stops. A connection whose client takes no byte of its answers for `patience` milliseconds, or up to a second longer, is
 * closed: it would count as one of the allowed connections for ever.
 */
export function dropStalledReaders(server: Server, patience: number): void {
  const open = connectionsOf(server);
  dropStalled(server, open, patience);
  keepSlowAtStop(server, open);
}

/** Unanswered requests that one connection may have. A client that waits for its answers stays far below. */
const MOST_UNANSWERED = 100;

const UNANSWERED = Symbol('unanswered');
/** `bytesRead` of the connection when it was last looked at, and the number of requests since. */
const LOOKED_AT = Symbol('looked at');
const SINCE = Symbol('since');
type CountedSocket = Socket & { [UNANSWERED]?: number; [LOOKED_AT]?: number; [SINCE]?: number };

const unansweredOn = (socket: CountedSocket) => socket[UNANSWERED] ?? 0;

/**
 * Stops reading a connection while {@link MOST_UNANSWERED} of its requests are unanswered, as {@link noteRequest} and
 * {@link noteAnswer} count them. Otherwise a client that sends on without waiting would fill the memory. Requests that
 * came in the same read are still taken, up to the same number again.
 */
export function limitUnanswered(socket: Socket): void {
  // Node and fastify resume a connection when they take a request or read its body. Node's own listener runs before this one.
  socket.on('resume', () => {
    if (unansweredOn(socket) >= MOST_UNANSWERED) socket.pause();
  });
}

/**
 * Notes that a request has come on this connection. Returns false and closes the socket when one read holds more than
 * {@link MOST_UNANSWERED} requests (or up to twice as many, if it began between two looks). Bytes that are read already
 * cannot be left waiting, and two thousand requests fit into one read: if the client does not read their answers, they take a hundred
 * times the memory of their bytes.
 */
export function noteRequest(socket: CountedSocket): boolean {
  if (isFlood(socket)) {
    socket.destroy();
    return false;
  }
  socket[UNANSWERED] = unansweredOn(socket) + 1;
  if (unansweredOn(socket) >= MOST_UNANSWERED) socket.pause();
  return true;
}

// `bytesRead` asks the system's handle, so this looks at every hundredth request only. No new byte since: one read holds them all.
function isFlood(socket: CountedSocket): boolean {
  const since = socket[SINCE] ?? MOST_UNANSWERED;
  socket[SINCE] = since + 1;
  if (since < MOST_UNANSWERED) return false;
  if (socket.bytesRead === socket[LOOKED_AT]) return true;
  socket[LOOKED_AT] = socket.bytesRead;
  socket[SINCE] = 1;
  return false;
}

/** Notes that a request of this connection is answered. */
export function noteAnswer(socket: CountedSocket): void {
  socket[UNANSWERED] = unansweredOn(socket) - 1;
  if (unansweredOn(socket) === MOST_UNANSWERED - 1) socket.resume();
}

/** Answers of more bytes than this are counted by {@link UnreadAnswers}. */
export const LONG = 65_536;
/** Bytes of long answers that one address may have unread; a single answer may be of any length. */
const MOST_UNREAD = 4 * 1_048_576;
/** A connection is closed behind an answer of more bytes: when its client closes it too, the answer is known to be read. */
export const VERY_LONG = MOST_UNREAD / 2;
/** Milliseconds that a client has to read a long answer before its connection may be closed to make room. */
const PATIENCE = 10_000;

/** The long answer that was last written to a connection. */
interface Unread {
  readonly bytes: number;
  readonly writtenAt: number;
  /** `bytesRead` of the connection at that time: if it has grown since, the client goes on. */
  readonly heard: number;
}

/**
 * Limits the unread bytes of long answers, by address. The system takes megabytes for each connection whose client reads
 * nothing, and does not say when they are read. So an answer counts until its connection is closed or carries the next long
 * one. When an address needs room, answers older than {@link PATIENCE} stop counting.
 */
export class UnreadAnswers {
  readonly #byAddress = new Map<string, Map<Socket, Unread>>();
  readonly #clock: () => number;

  /** `clock` gives monotonic milliseconds. */
  constructor(clock: () => number = () => performance.now()) {
    this.#clock = clock;
  }

  /** Counts a long answer and returns true, or returns false if it may not be written. */
  take(address: string, socket: Socket, bytes: number): boolean {
    const unread = this.#byAddress.get(address) ?? new Map<Socket, Unread>();
    if (isTooMuch(unread, socket, bytes)) {
      this.#makeRoom(unread);
      if (isTooMuch(unread, socket, bytes)) return false;
    }
    if (!unread.has(socket)) this.#forgetWhenRead(address, socket);
    lingerBehindLast(socket, bytes > VERY_LONG ? PATIENCE : undefined);
    unread.set(socket, {
      bytes: bytes + socket.writableLength,
      writtenAt: this.#clock(),
      heard: socket.bytesRead,
    });
    this.#byAddress.set(address, unread);
    return true;
  }

  /** Forgets old answers. If the client has sent nothing since, its connection is reset, and the unread bytes are dropped with it. */
  #makeRoom(unread: Map<Socket, Unread>): void {
    const before = this.#clock() - PATIENCE;
    for (const [socket, { writtenAt, heard }] of unread) {
      if (writtenAt > before) continue;
      unread.delete(socket);
      if (socket.bytesRead === heard) discard(socket);
    }
  }

  /** When the service closes a connection first, the system still holds its bytes. They count until they are surely read. */
  #forgetWhenRead(address: string, socket: Socket): void {
    let isReadToItsEnd = false;
    socket.once('end', () => {
      isReadToItsEnd = true;
      // The client closes behind the last answer, and its next request may come before this socket is gone.
      if (socket.writableFinished) this.#forget(address, socket);
    });
    socket.once('close', (isReset: boolean) => {
      if (isReadToItsEnd || isReset) this.#forget(address, socket);
      else setTimeout(() => this.#forget(address, socket), PATIENCE).unref();
    });
  }

  #forget(address: string, socket: Socket): void {
    const unread = this.#byAddress.get(address);
    unread?.delete(socket);
    if (unread?.size === 0) this.#byAddress.delete(address);
  }
}

/** Closes a connection and drops the bytes that the system still holds for it. */
function discard(socket: Socket): void {
  // Node cannot reset a connection over TLS: the system keeps its bytes until it gives the connection up.
  if (socket instanceof TLSSocket) socket.destroy();
  else socket.resetAndDestroy();
}

/** Whether this answer and the unread ones on other connections are more than {@link MOST_UNREAD}. */
function isTooMuch(unread: ReadonlyMap<Socket, Unread>, socket: Socket, bytes: number): boolean {
  let others = 0;
  for (const [other, answer] of unread) if (other !== socket) others += answer.bytes;
  return others > 0 && others + bytes > MOST_UNREAD;
}
