import { isIP } from 'node:net';
import { type ConnectionOptions, connect as connectTls } from 'node:tls';
import { Client, ResultCodeError } from 'ldapts';
import type { DirectoryOptions } from './options.ts';

/** How one server is reached. */
export type ConnectionParts = Pick<DirectoryOptions, 'startTls' | 'ca' | 'deadline'> & {
  readonly url: string;
};

/** Thrown when one server cannot answer; another one may. */
export class ServerFault extends Error {
  override name = 'ServerFault';
}

/** Result codes (RFC 4511, appendix A) that say something of the server or the settings, and nothing of the person. */
const SENTENCES: Readonly<Record<number, string>> = {
  1: 'it answers with an operations error: Active Directory does so if no account searches',
  8: 'it wants a connection that is better protected: use ldaps, or StartTLS',
  10: 'it answers with a referral, which is not followed: name the server that holds the entries',
  13: 'it wants TLS: use ldaps, or StartTLS',
};

/** Errors of a connection, by their codes. */
const BY_CODE: Readonly<Record<string, string>> = {
  SELF_SIGNED_CERT_IN_CHAIN:
    'no trusted authority signed its certificate: name the file with those of your own',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'no authority signed its certificate: name the file with this certificate',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE:
    'no trusted authority signed its certificate: name the file with those of your own',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY:
    'no trusted authority signed its certificate: name the file with those of your own',
  ERR_TLS_CERT_ALTNAME_INVALID:
    'its certificate is for another host: name the server as its certificate does',
  CERT_HAS_EXPIRED: 'its certificate has expired',
};

/** What an error of the library means for the operator. The message holds no password, and no name that was typed. */
export function faultOf(error: unknown): ServerFault {
  if (error instanceof ServerFault) return error;
  if (error instanceof ResultCodeError) {
    const why = SENTENCES[error.code] ?? `it answers with the result code ${error.code}`;
    return new ServerFault(why, { cause: error });
  }
  return new ServerFault(wordsOf(error), { cause: error });
}

/** Whether this error of the library says that the server did not answer before the deadline. */
export function isTimeout(error: unknown): boolean {
  return error instanceof Error && /timed out|timeout/i.test(error.message);
}

function wordsOf(error: unknown): string {
  if (error instanceof AggregateError) return error.errors.map(wordsOf).join('; ');
  const { message, code = '' } = error as NodeJS.ErrnoException;
  if (isTimeout(error)) return 'it did not answer in time';
  // The library puts a line of its own before the message.
  return BY_CODE[code] ?? message.split('\n').at(-1) ?? '';
}

/** How certificates are checked, whatever the environment variables say. */
export function tlsOptionsOf({ url, ca }: Pick<ConnectionParts, 'url' | 'ca'>): ConnectionOptions {
  const host = new URL(url).hostname.replace(/^\[|\]$/g, '');
  const name = isIP(host) === 0 ? { servername: host } : {};
  return { host, ...name, ...(ca === undefined ? {} : { ca }), rejectUnauthorized: true };
}

/** Closes a connection, whatever its state. */
export function close(client: Client): void {
  client.unbind().catch(() => undefined);
}

/** Rejects after these milliseconds, and closes the connection then. */
async function within<T>(client: Client, work: Promise<T>, deadline: number): Promise<T> {
  const { promise: late, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => {
    close(client);
    reject(new ServerFault('it did not answer in time'));
  }, deadline);
  work.catch(() => undefined);
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** A new client of the server. It connects with its first request, or with StartTLS here. */
export async function connect(parts: ConnectionParts): Promise<Client> {
  const { url, startTls, deadline } = parts;
  const isSecure = url.startsWith('ldaps:');
  const client = new Client({
    url,
    timeout: deadline,
    connectTimeout: deadline,
    strictDN: false,
    ...(isSecure ? { tlsOptions: tlsOptionsOf(parts) } : {}),
    createSecureConnection: ((...args: Parameters<typeof connectTls>) => {
      const socket = connectTls(...args);
      // The library does not notice when an upgraded connection ends.
      if (!isSecure) socket.once('close', () => close(client));
      return socket;
    }) as typeof connectTls,
  });
  if (!startTls || isSecure) return client;
  try {
    await within(client, client.startTLS(tlsOptionsOf(parts)), 2 * deadline);
    return client;
  } catch (error) {
    close(client);
    throw faultOf(error);
  }
}

/** How many connections wait for the next bind, and for how long, in milliseconds. */
const MOST_IDLE = 16;
const IDLE_FOR = 30_000;

/**
 * Connections on which a person was bound, for the binds of others soon after: to connect costs more than a bind, above all with TLS.
 * A bind first makes its connection anonymous (RFC 4511, section 4.2.1), and nothing but binds is sent on one.
 */
export class IdleConnections {
  readonly #timers = new Map<Client, NodeJS.Timeout>();

  /** A connection that is open, as far as is known; it is the caller's. */
  take(): Client | undefined {
    for (const client of this.#timers.keys()) {
      this.#remove(client);
      if (client.isConnected) return client;
    }
    return undefined;
  }

  /** Takes over a connection, and closes it unless it is taken soon. */
  put(client: Client): void {
    if (this.#timers.size >= MOST_IDLE) {
      close(client);
      return;
    }
    const end = () => {
      this.#timers.delete(client);
      close(client);
    };
    this.#timers.set(client, setTimeout(end, IDLE_FOR).unref());
  }

  close(): void {
    for (const client of this.#timers.keys()) {
      this.#remove(client);
      close(client);
    }
  }

  #remove(client: Client): void {
    clearTimeout(this.#timers.get(client));
    this.#timers.delete(client);
  }
}
