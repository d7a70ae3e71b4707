import type { AddressInfo, Server } from 'node:net';

/** Why a port cannot be listened on, in a sentence with the mend. */
export class CannotListen extends Error {
  override name = 'CannotListen';
}

const WHY: Record<string, string> = {
  EADDRINUSE: 'another program listens there: stop it, or choose another port',
  EACCES: 'this needs more rights: choose a port from 1024 on',
  EADDRNOTAVAIL: 'this machine has no such address: choose one that it has',
  ENOTFOUND: 'there is no such address: choose one that this machine has',
};

/** Where a server listens, such as `http://127.0.0.1:8080`. */
function urlOf(server: Server): string {
  const { address, family, port } = server.address() as AddressInfo;
  return `http://${family === 'IPv6' ? `[${address}]` : address}:${port}`;
}

/** Waits until `listening` is done and tells the server's URL. Throws {@link CannotListen}. */
export async function listen(server: Server, listening: Promise<unknown>, place: string): Promise<string> {
  try {
    await listening;
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    throw new CannotListen(`cannot listen on ${place}: ${WHY[code ?? ''] ?? message}`, { cause: error });
  }
  return urlOf(server);
}
