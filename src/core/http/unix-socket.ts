import { once } from 'node:events';
import { chmodSync, lstatSync, rmSync, statSync } from 'node:fs';
import { connect, type Server } from 'node:net';
import { dirname } from 'node:path';

/** Why nothing can listen at a path, as an error of the system has it. */
const faultOf = (code: string, message: string): NodeJS.ErrnoException =>
  Object.assign(new Error(message), { code });

/** The error that a connection to this socket meets; undefined if somebody takes it. */
async function refusalAt(path: string): Promise<NodeJS.ErrnoException | undefined> {
  const probe = connect(path);
  try {
    await once(probe, 'connect');
    return undefined;
  } catch (error) {
    return error as NodeJS.ErrnoException;
  } finally {
    probe.destroy();
  }
}

/**
 * Makes room for a socket at this path: removes the socket of a process that has ended. Throws an error with a code of the system:
 * `EADDRINUSE` if somebody listens there, `ENOTSOCK` if something else is there, which is never removed.
 */
export async function claimPath(path: string): Promise<void> {
  const found = lstatSync(path, { throwIfNoEntry: false });
  // To bind without this folder is refused as EACCES by Node.
  if (found === undefined) return void statSync(dirname(path));
  if (!found.isSocket()) throw faultOf('ENOTSOCK', 'something else is there');
  const refusal = await refusalAt(path);
  // The system refuses a connection to the socket of a dead process. A living one may be too busy to take it.
  if (refusal?.code === undefined || refusal.code === 'EAGAIN') throw faultOf('EADDRINUSE', 'in use');
  if (refusal.code !== 'ECONNREFUSED') throw refusal;
  rmSync(path, { force: true });
}

/** What others may do with a new socket before it has its mode: nothing. */
const OWNER_ONLY = 0o077;

/** From now on this process and its children create sockets that only their user reaches. Returns the way back. */
export function closeNewSockets(): () => void {
  const before = process.umask();
  process.umask(before | OWNER_ONLY);
  return () => void process.umask(before);
}

/** Makes the server listen at this path, with this mode from the first connection on. */
export async function listenAtPath(server: Server, path: string, mode: number): Promise<void> {
  const restore = closeNewSockets();
  try {
    server.listen({ path });
  } finally {
    restore();
  }
  await once(server, 'listening');
  chmodSync(path, mode);
}

/** Removes the path: from now on nobody can connect. Open connections stay. */
export const removePath = (path: string): void => rmSync(path, { force: true });
