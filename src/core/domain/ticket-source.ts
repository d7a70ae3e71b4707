import { type BlockBits, blockOf } from './address-block.ts';

/** Addresses that count as one source of tickets without a password: an IPv4 address, or an IPv6 /48. */
const SOURCE: BlockBits = { ipv4: 32, ipv6: 48 };

/** The source of an address, for limits of tickets without a password. */
export function ticketSourceOf(address: string): string {
  return blockOf(address, SOURCE);
}
