import { Socket } from 'node:net';

/** Takes what was read of a connection: the bytes last until the next read. Says whether to read on. */
export type OnBytes = (bytes: Buffer) => boolean;

/** What Node keeps of a connection that it has accepted, and has no types for. */
interface SocketInternals {
  _handle: { useUserBuffer?: unknown } | null | undefined;
  server?: object | null;
  _server?: object | null;
}

/** What is read comes here, of whichever connection: it is used up before the next read. */
const BUFFER = Buffer.allocUnsafeSlow(65_536);

/**
 * The connection that `accepted` is, whose bytes are given to `onBytes` without a buffer and a stream's book-keeping for
 * each read; `accepted` is no more to be used. Node offers that for the connections that one opens (`onread`), and for
 * those of a server only by names without types: nothing, and `accepted` as it was, where a Node lacks them.
 */
export function readInPlace(accepted: Socket, onBytes: OnBytes): Socket | undefined {
  const kept = accepted as unknown as SocketInternals;
  const handle = kept._handle;
  if (typeof handle?.useUserBuffer !== 'function') return undefined;
  kept._handle = null;
  const socket = new Socket({
    // Its types take the one kind of handle that Node has an interface for.
    handle: handle as never,
    allowHalfOpen: accepted.allowHalfOpen,
    onread: { buffer: BUFFER, callback: (count) => onBytes(BUFFER.subarray(0, count)) },
  });
  // By these a server counts its connections.
  const { server, _server } = kept;
  return Object.assign(socket, { server, _server });
}
