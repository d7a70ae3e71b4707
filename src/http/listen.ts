import { once } from 'node:events';
import { type AddressInfo, Server } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { Server as TlsServer } from 'node:tls';

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
  const scheme = server instanceof TlsServer ? 'https' : 'http';
  return `${scheme}://${family === 'IPv6' ? `[${address}]` : address}:${port}`;
}

/** Where to listen, and the setting that says so. */
export interface ListeningPlace {
  readonly host: string;
  readonly port: number;
  readonly setting: string;
}

/** Has the server listen, at one address alone, and tells its URL. Throws {@link CannotListen}. */
export async function listen(server: Server, { host, port, setting }: ListeningPlace): Promise<string> {
  try {
    await once(server.listen(port, host), 'listening');
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const why = WHY[code ?? ''] ?? message;
    throw new CannotListen(`cannot listen on ${host} port ${port} (${setting}): ${why}`, { cause: error });
  }
  return urlOf(server);
}

/** How long requests may be on their way to a server that listens no more, in milliseconds. */
const ON_THE_WAY = 100;

/**
 * Has the server take no new connections; those that are open go on, idle ones too. Resolves once what was on its way
 * to it has come, or no connection is left.
 */
export async function listenNoMore(server: Server): Promise<void> {
  const arrived = new AbortController();
  server.once('close', () => arrived.abort());
  // What an HTTP server has of this name ends idle connections as well.
  Server.prototype.close.call(server);
  await pause(ON_THE_WAY, undefined, arrived).catch(() => undefined);
}
