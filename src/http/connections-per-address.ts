import type { Socket } from 'node:net';
import type { ClientAddresses } from './client-address.ts';

/** Bounds how many connections are open from one address: an IPv4 address, or an IPv6 /64. Trusted proxies have no bound. */
export class ConnectionsPerAddress {
  readonly #open = new Map<string, number>();
  readonly #addresses: ClientAddresses;
  readonly #most: number;

  constructor(addresses: ClientAddresses, most: number) {
    this.#addresses = addresses;
    this.#most = most;
  }

  /** Whether this connection would be one too many. */
  isBeyond(socket: Socket): boolean {
    if (this.#addresses.isTrustedPeer(socket)) return false;
    return (this.#open.get(this.#addresses.ofPeer(socket)) ?? 0) >= this.#most;
  }

  /** Counts the connection until it is closed. */
  count(socket: Socket): void {
    const address = this.#addresses.ofPeer(socket);
    this.#open.set(address, (this.#open.get(address) ?? 0) + 1);
    socket.once('close', () => {
      const left = (this.#open.get(address) ?? 0) - 1;
      if (left > 0) this.#open.set(address, left);
      else this.#open.delete(address);
    });
  }
}
