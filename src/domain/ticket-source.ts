import { type BlockBits, blockOf } from './address-block.ts';

/** Addresses that count as one where tickets need no password: an IPv4 address, or an IPv6 /48. */
const SOURCE: BlockBits = { ipv4: 32, ipv6: 48 };

/** What limits of tickets without a password count an address as. */
export function ticketSourceOf(address: string): string {
  return blockOf(address, SOURCE);
}
