import { isIP } from 'node:net';
import type { UnreadableRequest } from '../gate-rules/readings.ts';
import type { AskedRequest } from '../gate-rules/rules.ts';
import type { ClientAddresses } from './client-address.ts';
import { isHost, namedHost } from './host.ts';
import type { HttpRequest, RequestHead } from './http-request.ts';

/** A request to a protected service, as a trusted proxy tells it, with what leads a browser back to it. */
export interface ToldRequest extends AskedRequest {
  /** Undefined if the proxy does not tell it. */
  readonly scheme: 'http' | 'https' | undefined;
  /** The host with its port, as it was sent. */
  readonly authority: string;
  /** Path and query, as they were sent. */
  readonly target: string;
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

/** The value of a header that a proxy sets, if it is set. */
function toldIn({ headers }: Pick<RequestHead, 'headers'>, name: string): string | undefined {
  const value = headers[name.toLowerCase()];
  return typeof value === 'string' && value !== '' ? value : undefined;
}

const missing = (name: string): UnreadableRequest => ({
  unclear: `the header ${name} is missing: let the proxy set it`,
});

/** The URI in two parts, the scheme and host in front of the path and what follows. */
function partsOf(uri: string): {
  readonly scheme?: string;
  readonly authority?: string;
  readonly target: string;
} {
  const [, scheme, authority, target] = /^(https?):\/\/([^/?#]*)(.*)$/is.exec(uri) ?? [];
  if (scheme === undefined || authority === undefined) return { target: uri };
  return { scheme: scheme.toLowerCase(), authority, target: target?.startsWith('/') ? target : `/${target}` };
}

/** The scheme that a proxy tells. That of a web socket is the one that it is opened with. */
function schemeIn(text: string | undefined): ToldRequest['scheme'] {
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

/** The request that the gate is asked about. Only trusted proxies are believed. */
export function askedOf(
  { raw }: Pick<HttpRequest, 'raw'>,
  { addresses, gateUriHeader }: { readonly addresses: ClientAddresses; readonly gateUriHeader: string },
): ToldRequest | UnreadableRequest {
  if (addresses.isBehindProxy(raw)) return askedRequest(raw, gateUriHeader);
  return { unclear: 'it comes from no trusted proxy: name the proxy in TESSERA_TRUSTED_PROXIES' };
}

/**
 * The request that a trusted proxy asks the gate about. `uriHeader` is the lower-case name of the header with the URI. If
 * something is missing or has several values, the request is not read.
 */
export function askedRequest(
  raw: Pick<RequestHead, 'headers'>,
  uriHeader: string,
): ToldRequest | UnreadableRequest {
  const kind = KINDS[uriHeader];
  if (kind === undefined) return missing(Object.keys(KINDS).join(' or '));
  const uri = toldIn(raw, uriHeader);
  if (uri === undefined) return missing(uriHeader);
  const method = toldIn(raw, kind.method);
  if (method === undefined) return missing(kind.method);
  if (!/^[A-Z][A-Z-]*$/.test(method))
    return { unclear: `the header ${kind.method} holds no method in capitals` };
  const { scheme, authority: inUri, target } = kind.host === undefined ? partsOf(uri) : { target: uri };
  const authority = kind.host === undefined ? (inUri ?? namedHost('', raw)) : toldIn(raw, kind.host);
  if (authority === undefined) return missing(kind.host ?? 'Host');
  if (!isHost(authority)) return { unclear: 'it names no host, or several' };
  const [path = ''] = target.split('?', 1);
  return {
    method,
    host: hostIn(authority),
    path,
    scheme: schemeIn(scheme ?? toldIn(raw, 'X-Forwarded-Proto')),
    authority: authority.toLowerCase(),
    target,
  };
}
