import { isIP, isIPv6 } from 'node:net';
import type { RequestHead } from './http-request.ts';

/** A name, an IPv4 address or an IPv6 address in brackets, with or without a port (RFC 9110 section 7.2). */
const HOST = /^(?:[a-z0-9._-]{1,255}|\[([0-9a-f:.]{2,45})\])(?::(\d{0,5}))?$/i;

const HIGHEST_PORT = 65_535;

/** Whether the text is a host as the field `Host` holds it. It allows fewer names than the grammar: letters, digits, `.`, `_` and `-`. */
export function isHost(text: string): boolean {
  const [found, v6, port] = HOST.exec(text) ?? [];
  return found !== undefined && (v6 === undefined || isIPv6(v6)) && Number(port ?? 0) <= HIGHEST_PORT;
}

/** The authority of a target in absolute form; undefined for a target in another form. */
const authorityIn = (target: string) => /^https?:\/\/([^/?]*)/i.exec(target)?.[1];

/** The host that a request names: that of a target in absolute form, otherwise that of `Host` (RFC 9112 section 3.2.2). */
export function namedHost(target: string, { headers }: Pick<RequestHead, 'headers'>): string | undefined {
  return authorityIn(target) ?? headers.host;
}

/** How many fields of this name a header has; `rawHeaders` holds names and values in turn. */
function countOf(name: string, rawHeaders: readonly string[]): number {
  let count = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) if (rawHeaders[at]?.toLowerCase() === name) count += 1;
  return count;
}

const EXAMPLE = 'such as tickets.example.org:8443';

/**
 * What is wrong with the version or the host of a request, with the mend; undefined if both are right. A request is
 * HTTP/1.0 or HTTP/1.1 and names at most one host, in HTTP/1.1 exactly one (RFC 9112 section 3.2).
 */
export function headFault(
  target: string,
  {
    httpVersion,
    headers,
    rawHeaders,
  }: Pick<RequestHead, 'httpVersion' | 'headers'> & { rawHeaders: string[] },
): string | undefined {
  if (httpVersion !== '1.1' && httpVersion !== '1.0')
    return 'end the request line with the version, HTTP/1.1 or HTTP/1.0';
  const { host } = headers;
  if (host === undefined && httpVersion === '1.1') return `name the host in the field Host, ${EXAMPLE}`;
  if (countOf('host', rawHeaders) > 1) return 'send the field Host once';
  if (host !== undefined && !isHost(host)) return `write a host in the field Host, ${EXAMPLE}`;
  const authority = authorityIn(target);
  if (authority !== undefined && !isHost(authority)) return `write a host in the URL, ${EXAMPLE}`;
  return undefined;
}

/** Which hosts a port serves. */
interface HostRules {
  /** The hosts that are set, in lower case and without a port; IPv6 addresses in brackets. */
  readonly listed: readonly string[];
  /** Whether any IP address is served while the port is bound to an address other than loopback. */
  readonly anyAddress: boolean;
}

/** Values of `Host` that are cached as served. A limit, since a client can write its port in many ways. */
const MOST_CACHED = 100;

/** Whether a host name means the machine itself; IPv6 addresses are in brackets. */
export function isLoopbackName(name: string): boolean {
  return name === 'localhost' || name === '[::1]' || (isIP(name) === 4 && name.startsWith('127.'));
}

/** The host in lower case, without its port and without the dot at the end of a full name. */
const nameIn = (host: string) => host.toLowerCase().replace(/:\d*$/, '').replace(/\.$/, '');

/**
 * Decides which hosts are served: the hosts that are set or, if none are, the hosts that the port's address allows. Other
 * hosts are refused so that a web page cannot point its own host name here and read answers (DNS rebinding). Before the port
 * is open no host is served.
 */
export class ServedHosts {
  readonly #listed: ReadonlySet<string>;
  readonly #anyAddress: boolean;
  readonly #served = new Set<string>();
  #isOpen = false;
  #isLoopback = true;

  constructor({ listed, anyAddress }: HostRules) {
    this.#listed = new Set(listed);
    this.#anyAddress = anyAddress;
  }

  /** Whether the hosts were set. */
  get areListed(): boolean {
    return this.#listed.size > 0;
  }

  /** Call this with the URL of the address that the port is bound to. A Unix socket counts as a loopback address. */
  boundTo(url: string): void {
    this.#isOpen = true;
    const { protocol, hostname } = new URL(url);
    this.#isLoopback = protocol === 'unix:' || isLoopbackName(hostname);
  }

  /** Whether this well-formed host is served, with or without a port. */
  serves(host: string): boolean {
    if (this.#served.has(host)) return true;
    if (!this.#isOpen || !this.#allows(nameIn(host))) return false;
    if (this.#served.size < MOST_CACHED) this.#served.add(host);
    return true;
  }

  #allows(name: string): boolean {
    if (this.#listed.has(name)) return true;
    if (this.#anyAddress && (isLoopbackName(name) || (!this.#isLoopback && isAddress(name)))) return true;
    if (this.areListed) return false;
    return !this.#isLoopback || isLoopbackName(name);
  }
}

const isAddress = (name: string) => isIP(name.replace(/^\[|\]$/g, '')) !== 0;
