import type { Socket } from 'node:net';
import { TLSSocket } from 'node:tls';
import { lingerBehindLast } from './connection-faults.ts';

/** Longer answers are counted, in bytes. */
export const LONG = 65_536;
/** Bytes of long answers that one address may have unread; a single answer may be of any length. */
const MOST = 4 * 1_048_576;
/** Milliseconds that a client has to read a long answer before its connection may be closed to make room. */
const PATIENCE = 10_000;

/** The long answer that was last written to a connection. */
interface Unread {
  readonly bytes: number;
  readonly writtenAt: number;
  /** Bytes of the connection that had come by then: more of them show that the client goes on. */
  readonly heard: number;
}

/**
 * Bounds the long answers that lie unread, by address. The system takes megabytes for each connection whose other end
 * reads nothing, and does not say when they are read. So an answer counts until its connection is closed, or carries the
 * next long one; where an address needs room, those older than {@link PATIENCE} stop counting.
 */
export class UnreadAnswers {
  readonly #byAddress = new Map<string, Map<Socket, Unread>>();
  readonly #clock: () => number;

  /** `clock` gives monotonic milliseconds. */
  constructor(clock: () => number = () => performance.now()) {
    this.#clock = clock;
  }

  /** Counts a long answer, and says whether it may be written. */
  take(address: string, socket: Socket, bytes: number): boolean {
    const unread = this.#byAddress.get(address) ?? new Map<Socket, Unread>();
    if (isBeyond(unread, socket, bytes)) {
      this.#makeRoom(unread);
      if (isBeyond(unread, socket, bytes)) return false;
    }
    if (!unread.has(socket)) this.#forgetWhenRead(address, socket);
    unread.set(socket, {
      bytes: bytes + socket.writableLength,
      writtenAt: this.#clock(),
      heard: socket.bytesRead,
    });
    this.#byAddress.set(address, unread);
    return true;
  }

  /** Forgets old answers. Where the client has said nothing since, the connection is reset: its unread bytes go with it. */
  #makeRoom(unread: Map<Socket, Unread>): void {
    const before = this.#clock() - PATIENCE;
    for (const [socket, { writtenAt, heard }] of unread) {
      if (writtenAt > before) continue;
      unread.delete(socket);
      if (socket.bytesRead === heard) discard(socket);
    }
  }

  /** Bytes stay with the system when the service closes a connection first. They count until they can be taken as read. */
  #forgetWhenRead(address: string, socket: Socket): void {
    lingerBehindLast(socket);
    let isReadToItsEnd = false;
    socket.once('end', () => {
      isReadToItsEnd = true;
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

/** Closes a connection together with the bytes that the system still holds for it. */
function discard(socket: Socket): void {
  // Node cannot reset a connection over TLS: its bytes go when the system gives up on it.
  if (socket instanceof TLSSocket) socket.destroy();
  else socket.resetAndDestroy();
}

/** Whether this answer would be too much beside those on other connections. */
function isBeyond(unread: ReadonlyMap<Socket, Unread>, socket: Socket, bytes: number): boolean {
  let others = 0;
  for (const [other, answer] of unread) if (other !== socket) others += answer.bytes;
  return others > 0 && others + bytes > MOST;
}
