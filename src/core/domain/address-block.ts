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

/**
 * The block that `text` names, as {@link blockOf} writes it: an address, or an address and `/bits`. An IPv6 address stands for
 * its /64. Undefined if it names none, or an IPv6 block of less than a /64.
 */
export function parseBlock(text: string): string | undefined {
  const [bare = '', bits, ...more] = text.split('/');
  const isAddress =
    ipaddr.IPv4.isValidFourPartDecimal(bare) || (ipaddr.IPv6.isValid(bare) && !bare.includes('%'));
  if (!isAddress || more.length > 0) return undefined;
  if (bits === undefined) return blockOf(bare, HOST);
  const kind = ipaddr.parse(bare).kind();
  // IPv4 written as IPv6 has the bits of another form.
  const isWritten = /^\d{1,2}$/.test(bits) && ipaddr.process(bare).kind() === kind;
  return isWritten && Number(bits) <= HOST[kind]
    ? blockOf(bare, { ...HOST, [kind]: Number(bits) })
    : undefined;
}

/** Whether a block, as {@link parseBlock} gives it, contains the address of a client. */
export function blockHolds(block: string, address: string): boolean {
  const [, bits = HOST.ipv4] = block.split('/');
  return blockOf(address, { ipv4: Number(bits), ipv6: Number(bits) }) === block;
}
