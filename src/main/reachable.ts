import type { X509Certificate } from 'node:crypto';
import { isIP } from 'node:net';
import { resolve } from 'node:path';
import { ServedHosts } from '../core/http/host.ts';
import { readCertificate } from '../core/http/tls/certificate.ts';
import { isLoopback, socketPathIn } from '../core/settings/combinations.ts';
import type { Settings } from '../core/settings/table.ts';

/** The text as one word for a shell. */
const quoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;

/** The addresses that mean every address of this machine, each with one that can be asked. */
const EVERY: Readonly<Record<string, string>> = { '0.0.0.0': '127.0.0.1', '::': '::1' };

/** The names in a certificate that a client can ask for. A wildcard gives one name. */
function namesIn({ subjectAltName = '', subject = '' }: X509Certificate): string[] {
  const alternative = [...subjectAltName.matchAll(/DNS:([\w.*-]+)/g)];
  const names = alternative.length > 0 ? alternative : [...subject.matchAll(/^CN=([\w.*-]+)$/gm)];
  return names.map(([, name = '']) => name.replace(/^\*\./, 'tessera.'));
}

const isCertified = (leaf: X509Certificate, host: string) =>
  (isIP(host) === 0 ? leaf.checkHost(host) : leaf.checkIP(host)) !== undefined;

const inUrl = (host: string) => (isIP(host) === 6 ? `[${host}]` : host);

function leafIn({ tlsCert: cert, tlsKey: key }: Settings): X509Certificate | undefined {
  try {
    return readCertificate({ cert, key }).leaf;
  } catch {
    // The files were good when the service started. They may be in the middle of a replacement now.
    return undefined;
  }
}

/** The hosts that the service serves and that a client here can reach, the likeliest first. */
function servedHosts(
  boundUrl: string,
  address: string,
  { hosts: listed }: Settings,
  leaf?: X509Certificate,
): string[] {
  const hosts = new ServedHosts({ listed, anyAddress: false });
  hosts.boundTo(boundUrl);
  const own = isLoopback(address) ? [address, 'localhost'] : [address];
  const named = listed.map((host) => host.replace(/^\[|\]$/g, ''));
  const all = [...own, ...named, ...(leaf === undefined ? [] : namesIn(leaf))];
  return all.filter((host) => hosts.serves(inUrl(host)));
}

/** How a client on the same machine reaches the service. */
interface Reach {
  readonly scheme: string;
  /** An address of this machine on which it listens. */
  readonly address: string;
  readonly port: string;
  /** A host that is served. Over TLS it is one that the certificate holds, if there is any. */
  readonly host: string;
  /** Whether the certificate holds it. */
  readonly isCertified: boolean;
}

function reachOf(boundUrl: string, settings: Settings): Reach {
  const [, scheme = '', bound = '', port = ''] = /^(\w+):\/\/\[?([^\]]*?)\]?:(\d+)$/.exec(boundUrl) ?? [];
  const address = EVERY[bound] ?? bound;
  const leaf = scheme === 'https' ? leafIn(settings) : undefined;
  const served = servedHosts(boundUrl, address, settings, leaf);
  const certified = leaf && served.find((host) => isCertified(leaf, host));
  const host = certified ?? served[0] ?? address;
  return { scheme, address, port, host, isCertified: certified !== undefined };
}

/**
 * The words after `curl` in a shell that ask the service for this path from the same machine, for any address that it listens
 * on. The host is one that is served. Over TLS it is one that the certificate holds, and the command has curl trust that
 * certificate.
 */
export function curlWords(boundUrl: string, path: string, settings: Settings): string {
  const socket = socketPathIn(boundUrl);
  if (socket !== undefined) {
    const [host = 'localhost'] = servedHosts(boundUrl, 'localhost', settings);
    return `--unix-socket ${quoted(socket)} http://${inUrl(host)}${path}`;
  }
  const { scheme, address, port, host, isCertified } = reachOf(boundUrl, settings);
  const trust = isCertified ? `--cacert ${quoted(resolve(settings.tlsCert))} ` : '-k ';
  const resolving = host === address ? '' : `--resolve ${host}:${port}:${inUrl(address)} `;
  return `${scheme === 'https' ? trust : ''}${resolving}${scheme}://${inUrl(host)}:${port}${path}`;
}

/**
 * The address of the pages for a browser on the same machine. Undefined if they are not served, or if a browser could not
 * sign in there: it reaches no Unix socket, and over plain HTTP it keeps a ticket for the names of the machine itself alone.
 */
export function portalAddress(boundUrl: string, settings: Settings): string | undefined {
  if (!settings.portal || socketPathIn(boundUrl) !== undefined) return undefined;
  const { scheme, port, host } = reachOf(boundUrl, settings);
  if (scheme === 'http' && !isLoopback(host)) return undefined;
  return `${scheme}://${inUrl(host)}:${port}/portal`;
}
