import ipaddr from 'ipaddr.js';

/** How many leading bits of an address are common to a block. */
export interface BlockBits {
  readonly ipv4: number;
  readonly ipv6: number;
}

/** The addresses of one host: an IPv4 address or an IPv6 /64. Throttle, queue and events identify clients by it. */
export const HOST: BlockBits = { ipv4: 32, ipv6: 64 };
/** The addresses that one subscriber of a provider usually has. */
export const SUBSCRIBER: BlockBits = { ipv4: 32, ipv6: 56 };
/** The addresses that one site, or the customers in one rack, usually have. */
export const SITE: BlockBits = { ipv4: 24, ipv6: 48 };

/**
 * The block that contains `address`, in CIDR notation; for a block of one IPv4 address just the address. `address` may be a
 * block itself, such as the /64 of a host. IPv4 written as IPv6 counts as IPv4. A text that is no address is returned
 * unchanged.
 */
export function blockOf(address: string, bits: BlockBits): string {
  const [bare = ''] = address.split('/');
  if (!ipaddr.isValid(bare)) return address;
  const parsed = ipaddr.process(bare);
  if (parsed.kind() === 'ipv4' && bits.ipv4 === 32) return parsed.toString();
  const length = bits[parsed.kind()];
  const masked = parsed
    .toByteArray()
    .map((byte, at) => byte & (0xff00 >> Math.max(0, Math.min(8, length - 8 * at))));
  return `${ipaddr.fromByteArray(masked)}/${length}`;
}
