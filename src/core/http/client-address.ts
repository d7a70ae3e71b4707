import type { Socket } from 'node:net';
import ipaddr from 'ipaddr.js';
import type { RequestHead } from './http-request.ts';

/** The address of a client, as a whole. */
export type ClientAddress = ipaddr.IPv4 | ipaddr.IPv6;
/** A range of addresses: an address and how many leading bits count. */
export type AddressRange = [ClientAddress, number];

/** The range that `text` names: an address, or an address with `/bits`. Throws if it is neither. */
export function parseRange(text: string): AddressRange {
  if (ipaddr.isValidCIDR(text)) {
    const [range, bits] = ipaddr.parseCIDR(text);
    // An IPv4 address in IPv6 notation is compared as IPv4.
    const isMapped = range instanceof ipaddr.IPv6 && range.isIPv4MappedAddress() && bits >= 96;
    return isMapped ? [range.toIPv4Address(), bits - 96] : [range, bits];
  }
  const address = ipaddr.process(text);
  return [address, address.kind() === 'ipv4' ? 32 : 128];
}

/** Whether the address is in one of the ranges. */
export const isWithin = (address: ClientAddress, ranges: readonly AddressRange[]): boolean =>
  ranges.some(([range, bits]) => address.kind() === range.kind() && address.match(range, bits));

/** One hop of `X-Forwarded-For`; some proxies add a port, some brackets. */
export function parseHop(text: string): ClientAddress | undefined {
  const [, bracketed, v4] = /^(?:\[([^\]]+)\](?::\d+)?|([\d.]+):\d+)$/.exec(text.trim()) ?? [];
  const bare = bracketed ?? v4 ?? text.trim();
  return ipaddr.isValid(bare) ? ipaddr.process(bare) : undefined;
}

/** The address as throttle and events use it: an IPv4 address, or an IPv6 /64, which one subscriber has. */
function textOf(address: ClientAddress | undefined): string {
  if (address === undefined) return 'unknown';
  if (address.kind() === 'ipv4') return address.toString();
  const prefix = (address as ipaddr.IPv6).parts.slice(0, 4);
  return `${new ipaddr.IPv6([...prefix, 0, 0, 0, 0]).toString()}/64`;
}

/** How the other end of a Unix socket is named, in the settings and as an address: the system tells no more of it. */
export const UNIX_PEER = 'unix:';

/** The most peers that {@link ClientAddresses} reports. A client can send the header from many addresses. */
const MOST_REPORTED = 100;

/** The addresses of clients: the peer of the socket or, behind trusted proxies, the client that they name. */
export class ClientAddresses {
  readonly #trusted: readonly AddressRange[];
  readonly #trustsUnix: boolean;
  #isUnix = false;
  readonly #peers = new WeakMap<
    Socket,
    { readonly address: ClientAddress | undefined; readonly trusted: boolean; readonly text: string }
  >();

  readonly #onUntrusted: (peer: string) => void;
  readonly #reported = new Set<string>();

  /**
   * `trusted` holds addresses and ranges in their usual notation, and {@link UNIX_PEER} for the peers of a Unix socket. `onUntrusted` is called once for each peer that is not
   * trusted and sends `X-Forwarded-For`, for the first {@link MOST_REPORTED} of them.
   */
  constructor(trusted: readonly string[], onUntrusted: (peer: string) => void) {
    this.#trusted = trusted.filter((range) => range !== UNIX_PEER).map(parseRange);
    this.#trustsUnix = trusted.includes(UNIX_PEER);
    this.#onUntrusted = onUntrusted;
  }

  /**
   * Call this with the URL of the place where the server listens. A connection without an address is a peer of a Unix socket only if
   * the server listens on one: a connection over TCP has none either once it is broken.
   */
  boundTo(url: string): void {
    this.#isUnix = url.startsWith(UNIX_PEER);
  }

  /** The client's address. `X-Forwarded-For` is read from the right, past trusted proxies. */
  of({ socket, headers }: Pick<RequestHead, 'socket' | 'headers'>): string {
    const peer = this.#peer(socket);
    const forwarded = headers['x-forwarded-for'];
    if (forwarded === undefined) return peer.text;
    if (!peer.trusted) {
      this.#report(peer.text);
      return peer.text;
    }
    const { client = peer.address } = this.#clientIn(forwarded);
    return client === undefined ? peer.text : textOf(client);
  }

  /** The client that trusted proxies name, as a whole; undefined if they name none, or one that cannot be read. */
  named({ socket, headers }: Pick<RequestHead, 'socket' | 'headers'>): ClientAddress | undefined {
    const forwarded = headers['x-forwarded-for'];
    if (forwarded === undefined || !this.#peer(socket).trusted) return undefined;
    const { client, isReadable } = this.#clientIn(forwarded);
    return isReadable ? client : undefined;
  }

  /** The client in `X-Forwarded-For`: the last hop that can be read, from the right up to the first that is not trusted. */
  #clientIn(forwarded: string | readonly string[]) {
    let client: ClientAddress | undefined;
    for (const hop of String(forwarded).split(',').reverse()) {
      const address = parseHop(hop);
      if (address === undefined) return { client, isReadable: false };
      client = address;
      if (!this.#trusts(address)) break;
    }
    return { client, isReadable: true };
  }

  /** The address at the other end of a connection, which may be a proxy. For connections without a readable request. */
  ofPeer(socket: Socket): string {
    return this.#peer(socket).text;
  }

  /** Whether the peer is a trusted proxy, so that the headers that it adds are believed. */
  isBehindProxy({ socket }: Pick<RequestHead, 'socket'>): boolean {
    return this.isTrustedPeer(socket);
  }

  /** Whether a trusted proxy is at the other end of the connection. */
  isTrustedPeer(socket: Socket): boolean {
    return this.#peer(socket).trusted;
  }

  #report(peer: string): void {
    if (this.#reported.has(peer) || this.#reported.size >= MOST_REPORTED) return;
    this.#reported.add(peer);
    this.#onUntrusted(peer);
  }

  #peer(socket: Socket) {
    const cached = this.#peers.get(socket);
    if (cached !== undefined) return cached;
    const address = this.#isUnix ? undefined : parseHop(socket.remoteAddress ?? '');
    const trusted = address === undefined ? this.#isUnix && this.#trustsUnix : this.#trusts(address);
    const peer = { address, trusted, text: this.#isUnix ? UNIX_PEER : textOf(address) };
    this.#peers.set(socket, peer);
    return peer;
  }

  #trusts(address: ClientAddress): boolean {
    return isWithin(address, this.#trusted);
  }
}
