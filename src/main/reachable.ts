import type { X509Certificate } from 'node:crypto';
import { isIP } from 'node:net';
import { resolve } from 'node:path';
import { readCertificate } from '../http/tls/certificate.ts';
import type { Settings } from '../settings/table.ts';
import { isLoopback } from '../settings/together.ts';

/** The text as one word of a shell. */
const quoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;

/** The addresses that stand for every one of this machine, and one each that can be asked. */
const EVERY: Readonly<Record<string, string>> = { '0.0.0.0': '127.0.0.1', '::': '::1' };

/** The names in a certificate that a client can ask for; of a wildcard one of them. */
function namesIn({ subjectAltName = '', subject = '' }: X509Certificate): string[] {
  const alternative = [...subjectAltName.matchAll(/DNS:([\w.*-]+)/g)];
  const names = alternative.length > 0 ? alternative : [...subject.matchAll(/^CN=([\w.*-]+)$/gm)];
  return names.map(([, name = '']) => name.replace(/^\*\./, 'tessera.'));
}

/** The host that the certificate has and that leads to the address: the address itself, localhost, or another name. */
function certifiedHost(leaf: X509Certificate, address: string): string | undefined {
  if (leaf.checkIP(address) !== undefined) return address;
  if (isLoopback(address) && leaf.checkHost('localhost') !== undefined) return 'localhost';
  return namesIn(leaf)[0];
}

function leafIn({ tlsCert: cert, tlsKey: key }: Settings): X509Certificate | undefined {
  try {
    return readCertificate({ cert, key }).leaf;
  } catch {
    // The files were good when the service started: a moment later they may be about to be replaced.
    return undefined;
  }
}

/**
 * The words for a shell behind `curl` that ask for this path at the service from the same machine, whatever address it
 * listens on. Over TLS the host is one that the certificate has, and the certificate itself is what curl trusts.
 */
export function curlWords(boundUrl: string, path: string, settings: Settings): string {
  const [, scheme, bound = '', port] = /^(\w+):\/\/\[?([^\]]*?)\]?:(\d+)$/.exec(boundUrl) ?? [];
  const address = EVERY[bound] ?? bound;
  const inUrl = (host: string) => (isIP(host) === 6 ? `[${host}]` : host);
  const urlAt = (host: string) => `${scheme}://${inUrl(host)}:${port}${path}`;
  if (scheme === 'http') return urlAt(address);
  const leaf = leafIn(settings);
  const host = leaf && certifiedHost(leaf, address);
  if (host === undefined) return `-k ${urlAt(address)}`;
  const resolving = host === address ? '' : `--resolve ${host}:${port}:${inUrl(address)} `;
  return `--cacert ${quoted(resolve(settings.tlsCert))} ${resolving}${urlAt(host)}`;
}
