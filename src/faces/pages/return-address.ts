/** The address to which a sign-in leads without `return`. */
export const HOME = '/portal';

/** How a browser reached the service, and the hosts to which a sign-in may lead besides. */
interface Own {
  /** Such as `https://tickets.example.org`. */
  readonly origin: string;
  /** Hosts, perhaps with a port; `*.` before one stands for any name below it. */
  readonly returnHosts: readonly string[];
}

/** No name below the domain of a wildcard is longer. Control characters and backslashes are read in many ways. */
const READ_IN_MANY_WAYS = /[\\\p{Cc}\p{Cf}\p{Z}]/u;
const LONGEST = 4_096;

/** Whether this host, with its port if it is not the usual one, is one of the hosts. A host without a port stands for its usual one. */
function isAmong(hosts: readonly string[], host: string): boolean {
  return hosts.some((listed) =>
    listed.startsWith('*.') ? host.endsWith(listed.slice(1)) && host !== listed.slice(1) : host === listed,
  );
}

const isLoopback = (name: string) => name === 'localhost' || name === '[::1]' || /^127(\.\d+){3}$/.test(name);

/**
 * The address to which a sign-in leads (specification, section 18): `asked` if it is on the own host, or with https on one of
 * the hosts that are set; {@link HOME} for anything else. An address on the own host is a path. The result is written anew
 * from what was read, so that a browser reads it in the same way.
 */
export function returnAddress(address: string | undefined, { origin, returnHosts }: Own): string {
  if (address === undefined || address.length > LONGEST || READ_IN_MANY_WAYS.test(address)) return HOME;
  const isPath = address.startsWith('/') && !address.startsWith('//');
  if (!isPath && !/^https?:\/\/[^/]/i.test(address)) return HOME;
  if (!URL.canParse(address, origin)) return HOME;
  const url = new URL(address, origin);
  if (url.username !== '' || url.password !== '') return HOME;
  const path = url.pathname + url.search + url.hash;
  if (url.origin === new URL(origin).origin) return path.startsWith('//') ? HOME : path;
  const isSafe = url.protocol === 'https:' || isLoopback(url.hostname);
  return !isPath && isSafe && isAmong(returnHosts, url.host) ? url.href : HOME;
}

/** As {@link returnAddress}, for what leads on within this host: always a path. */
export const ownAddress = (address: string | undefined, { origin }: Pick<Own, 'origin'>): string =>
  returnAddress(address, { origin, returnHosts: [] });

/** The origin of an address on another host; undefined for a path. */
export function otherOrigin(address: string): string | undefined {
  return address.startsWith('/') ? undefined : new URL(address).origin;
}
