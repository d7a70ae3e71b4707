import { isIP } from 'node:net';
import { StoreUnavailable } from './store.ts';

/** A server of a store, as it is reached. */
export interface Host {
  /** A name, an address, or the folder of a socket. */
  readonly name: string;
  readonly port: number;
}

/** A part of the URL of `what`, its percent escapes read. The fault of a broken one does not repeat the text. */
export function decoded(text: string, what: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new StoreUnavailable(`the URL of ${what} has a broken percent escape`);
  }
}

/** The host that a part of the URL of `what` names: host, host:port or [address]:port; nothing when it is none. */
export function hostIn(text: string, usualPort: number, what: string): Host | undefined {
  const [, bracketed, plain, written] = /^(?:\[([^\]]+)\]|([^:[\]]+))(?::(\d+))?$/.exec(text) ?? [];
  const name = decoded(bracketed ?? plain ?? '', what);
  const port = Number(written ?? usualPort);
  if (name === '' || (bracketed !== undefined && isIP(name) !== 6) || port < 1 || port > 65_535)
    return undefined;
  return { name, port };
}

/** The host as it is written. */
export function shownHost({ name, port }: Host): string {
  return isIP(name) === 6 ? `[${name}]:${port}` : `${name}:${port}`;
}
