import { isIPv6 } from 'node:net';
import type { RequestHead } from './http-request.ts';

/** A name, an IPv4 address or an IPv6 address in brackets, with or without a port (RFC 9110 section 7.2). */
const HOST = /^(?:[a-z0-9._-]{1,255}|\[([0-9a-f:.]{2,45})\])(?::(\d{0,5}))?$/i;

const HIGHEST_PORT = 65_535;

/** Whether the text is a host as `Host` names one. Names are narrower than the grammar: letters, digits, `.`, `_` and `-`. */
export function isHost(text: string): boolean {
  const [found, v6, port] = HOST.exec(text) ?? [];
  return found !== undefined && (v6 === undefined || isIPv6(v6)) && Number(port ?? 0) <= HIGHEST_PORT;
}

/** The authority of a target in absolute form; undefined for a target in another form. */
const authorityIn = (target: string) => /^https?:\/\/([^/?]*)/i.exec(target)?.[1];

/** The host that a request names: that of a target in absolute form goes before `Host` (RFC 9112 section 3.2.2). */
export function namedHost(target: string, { headers }: Pick<RequestHead, 'headers'>): string | undefined {
  return authorityIn(target) ?? headers.host;
}

/** How many fields of this name a head has; `rawHeaders` holds names and values in turn. */
function countOf(name: string, rawHeaders: readonly string[]): number {
  let count = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) if (rawHeaders[at]?.toLowerCase() === name) count += 1;
  return count;
}

const EXAMPLE = 'such as tickets.example.org:8443';

/**
 * What is wrong with the version or the host of a request, with the mend; undefined where both are right. Requests are
 * HTTP/1.0 or HTTP/1.1, name at most one host, and in HTTP/1.1 exactly one (RFC 9112 section 3.2).
 */
export function headFault(
  target: string,
  {
    httpVersion,
    headers,
    rawHeaders,
  }: Pick<RequestHead, 'httpVersion' | 'headers'> & { rawHeaders: string[] },
): string | undefined {
  if (httpVersion !== '1.1' && httpVersion !== '1.0')
    return 'end the request line with the version, HTTP/1.1 or HTTP/1.0';
  const { host } = headers;
  if (host === undefined && httpVersion === '1.1') return `name the host in the field Host, ${EXAMPLE}`;
  if (countOf('host', rawHeaders) > 1) return 'send the field Host once';
  if (host !== undefined && !isHost(host)) return `write a host in the field Host, ${EXAMPLE}`;
  const authority = authorityIn(target);
  if (authority !== undefined && !isHost(authority)) return `write a host in the URL, ${EXAMPLE}`;
  return undefined;
}
