import { readFileSync } from 'node:fs';
import { isIP } from 'node:net';
import { StoreUnavailable } from '../core/storage/store.ts';

/** Where a server of a store is reached. */
export interface Host {
  /** A name, an address, or the folder of a socket. */
  readonly name: string;
  readonly port: number;
}

/** Decodes the percent escapes in a part of the URL of `what`. The fault of a broken one does not repeat the text. */
export function decoded(text: string, what: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new StoreUnavailable(`the URL of ${what} has a broken percent escape`);
  }
}

/** Parses a host in the URL of `what`: host, host:port or [address]:port; undefined for any other text. */
export function hostIn(text: string, usualPort: number, what: string): Host | undefined {
  const [, bracketed, plain, written] = /^(?:\[([^\]]+)\]|([^:[\]]+))(?::(\d+))?$/.exec(text) ?? [];
  const name = decoded(bracketed ?? plain ?? '', what);
  const port = Number(written ?? usualPort);
  if (name === '' || (bracketed !== undefined && isIP(name) !== 6) || port < 1 || port > 65_535)
    return undefined;
  return { name, port };
}

/** The host as a URL writes it. */
export function shownHost({ name, port }: Host): string {
  return isIP(name) === 6 ? `[${name}]:${port}` : `${name}:${port}`;
}

/** A password, or a function that returns the current one. */
export type Password = string | (() => string);

/** The current password. */
export function passwordNow(password: Password): string {
  return typeof password === 'function' ? password() : password;
}

/** Reads the file that the parameter `name` of a store's URL names for TLS. Its faults name both. */
export function tlsFile(name: string, path: string): Buffer {
  const bytes = bytesOf(name, path);
  // Node takes a file without certificates for no file, and would blame the server's certificate.
  if (name.endsWith('cert') && !/-----BEGIN [A-Z0-9 ]*CERTIFICATE-----/.test(bytes.toString('latin1')))
    throw new StoreUnavailable(
      `${name}: the file ${path} holds no certificate in PEM: convert it, such as with openssl x509`,
    );
  return bytes;
}

function bytesOf(name: string, path: string): Buffer {
  try {
    return readFileSync(path);
  } catch (error) {
    throw new StoreUnavailable(`${name}: the file ${path} cannot be read`, { cause: error });
  }
}
