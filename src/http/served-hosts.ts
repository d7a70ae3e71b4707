import { isIP } from 'node:net';

/** Which hosts a port serves. */
export interface HostRules {
  /** The hosts that are set, in lower case and without a port; IPv6 addresses in brackets. */
  readonly listed: readonly string[];
  /** Whether any IP address is served while the port is bound to an address other than loopback. */
  readonly anyAddress: boolean;
}

/** Values of `Host` that are remembered as served: a client can write its port in many ways. */
const MOST_KEPT = 100;

/** Whether a host name stands for the machine itself; IPv6 addresses stand in brackets. */
function isLoopbackName(name: string): boolean {
  return name === 'localhost' || name === '[::1]' || (isIP(name) === 4 && name.startsWith('127.'));
}

/** Without its port and the dot at the end of a full name, in lower case. */
const nameIn = (host: string) => host.toLowerCase().replace(/:\d*$/, '').replace(/\.$/, '');

/**
 * Decides which hosts are served, so that a page whose name was made to lead here (DNS rebinding) cannot read answers: the
 * hosts that are set or, without any, the hosts that the port's address allows. Before the port is open it serves none.
 */
export class ServedHosts {
  readonly #listed: ReadonlySet<string>;
  readonly #anyAddress: boolean;
  readonly #kept = new Set<string>();
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

  /** Call this with the URL of the address that the port is bound to. */
  boundTo(url: string): void {
    this.#isOpen = true;
    this.#isLoopback = isLoopbackName(new URL(url).hostname);
  }

  /** Whether this well-formed host is served, with or without a port. */
  serves(host: string): boolean {
    if (this.#kept.has(host)) return true;
    if (!this.#isOpen || !this.#allows(nameIn(host))) return false;
    if (this.#kept.size < MOST_KEPT) this.#kept.add(host);
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
