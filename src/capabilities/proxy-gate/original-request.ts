import { isIP } from 'node:net';
import type { ClientAddresses } from '../../core/http/client-address.ts';
import { isHost, namedHost } from '../../core/http/host.ts';
import type { HttpRequest, RequestHead } from '../../core/http/http-request.ts';
import { variableOf } from '../../core/settings/table.ts';
import type { UnreadableRequest } from './rules/readings.ts';
import type { ProtectedRequest } from './rules/rules.ts';

/** The request that a proxy asks the gate about, with the URL to which a browser returns after a sign-in. */
export interface OriginalRequest extends ProtectedRequest {
  /** Undefined if the proxy does not send it. */
  readonly scheme: 'http' | 'https' | undefined;
  /** The host with its port, as it was sent. */
  readonly authority: string;
  /** Path and query, as they were sent. */
  readonly target: string;
}

declare module '../../core/gate/call.ts' {
  interface Call {
    /** Reads the request that a proxy asks the gate about. */
    readonly originalRequest?: () => ProtectedRequest | UnreadableRequest;
  }
}

/** The headers beside the one that holds the URI: a proxy that sets one of them sets all of its kind. */
interface HeaderKind {
  readonly method: string;
  /** The header with the host; undefined if it is in the URI itself or in `Host`. */
  readonly host?: string;
}

/**
 * The headers by the name of the one with the URI. Only that kind is read: a proxy passes headers of another kind on from the
 * client. Traefik and Caddy set the first kind, configurations of nginx the others.
 */
const KINDS: Readonly<Record<string, HeaderKind>> = {
  'x-forwarded-uri': { method: 'X-Forwarded-Method', host: 'X-Forwarded-Host' },
  'x-original-url': { method: 'X-Original-Method' },
  'x-original-uri': { method: 'X-Original-Method' },
};

/** The only value of a header; undefined if it has none. */
function headerValue({ headers }: Pick<RequestHead, 'headers'>, name: string): string | undefined {
  const value = headers[name.toLowerCase()];
  return typeof value === 'string' && value !== '' ? value : undefined;
}

const missing = (name: string, mend = ''): UnreadableRequest => ({
  unclear: `the header ${name} is missing: let the proxy set it${mend}`,
});

/** The URI in two parts, the scheme and host in front of the path and what follows. */
function partsOf(uri: string): {
  readonly scheme?: string;
  readonly authority?: string;
  readonly target: string;
} {
  const [, scheme, authority, target] = /^(https?):\/\/([^/?#]*)(.*)$/is.exec(uri) ?? [];
  if (scheme === undefined || authority === undefined) return { target: uri };
  return { scheme: scheme.toLowerCase(), authority, target: target || '/' };
}

/** The scheme that a proxy sends. For a web socket it is the scheme of the request that opens it. */
function schemeIn(text: string | undefined): OriginalRequest['scheme'] {
  const scheme = text?.toLowerCase().replace(/^ws/, 'http');
  return scheme === 'http' || scheme === 'https' ? scheme : undefined;
}

/** The host as rules name it: in lower case, without port and dot at its end, an address in its usual notation. */
function hostIn(authority: string): string {
  const name = authority.toLowerCase().replace(/:\d*$/, '').replace(/\.$/, '');
  // The last label of a name is no number, but that of an address in any notation is.
  const isAddress = isIP(name) !== 0 || name.startsWith('[') || /(?:^|\.)(?:\d+|0x[0-9a-f]*)$/.test(name);
  return isAddress && URL.canParse(`http://${name}`) ? new URL(`http://${name}`).hostname : name;
}

/** The request that a proxy asks the gate about. Only a trusted proxy can describe one. */
export function originalRequestOf(
  { raw }: Pick<HttpRequest, 'raw'>,
  { addresses, gateUriHeader }: { readonly addresses: ClientAddresses; readonly gateUriHeader: string },
): OriginalRequest | UnreadableRequest {
  if (addresses.isBehindProxy(raw)) {
    const original = readOriginalRequest(raw, gateUriHeader);
    return 'unclear' in original ? original : { ...original, client: addresses.named(raw) };
  }
  return { unclear: 'it comes from no trusted proxy: name the proxy in TESSERA_TRUSTED_PROXIES' };
}

/**
 * The request that a trusted proxy asks the gate about. `uriHeader` is the lower-case name of the header with the URI. If
 * something is missing or has several values, the request is not read.
 */
export function readOriginalRequest(
  raw: Pick<RequestHead, 'headers'>,
  uriHeader: string,
): OriginalRequest | UnreadableRequest {
  const kind = KINDS[uriHeader];
  if (kind === undefined) return missing(Object.keys(KINDS).join(' or '));
  const uri = headerValue(raw, uriHeader);
  if (uri === undefined) {
    const other = Object.keys(KINDS).find((name) => headerValue(raw, name) !== undefined);
    return missing(uriHeader, other && `, or set ${variableOf('gateUriHeader')}=${other}`);
  }
  const method = headerValue(raw, kind.method);
  if (method === undefined) return missing(kind.method);
  if (!/^[A-Z][A-Z-]*$/.test(method))
    return { unclear: `the header ${kind.method} holds no method in capitals` };
  const { scheme, authority: inUri, target } = kind.host === undefined ? partsOf(uri) : { target: uri };
  const authority = kind.host === undefined ? (inUri ?? namedHost('', raw)) : headerValue(raw, kind.host);
  if (authority === undefined) return missing(kind.host ?? 'Host');
  // nginx writes what a client sent as Host before the path: behind a question mark in it the path would be none.
  if (!/^[/*]/.test(target)) return { unclear: 'it names no path' };
  if (!isHost(authority)) return { unclear: 'it names no host, or several' };
  const [path = ''] = target.split('?', 1);
  return {
    method,
    host: hostIn(authority),
    path,
    scheme: schemeIn(scheme ?? headerValue(raw, 'X-Forwarded-Proto')),
    authority: authority.toLowerCase(),
    target,
  };
}
