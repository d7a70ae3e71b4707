import type { IncomingHttpHeaders } from 'node:http';

/** Whether the origin of a page is one that the setting allows. */
function isAllowedOrigin(origin: string | undefined, allowed: readonly string[]): origin is string {
  return origin !== undefined && allowed.includes(origin);
}

/** The host that the caller addressed, as a trusted proxy tells it if there is one. */
function addressedHost(headers: IncomingHttpHeaders, behindProxy: boolean): string | undefined {
  const forwarded = behindProxy ? headers['x-forwarded-host'] : undefined;
  return (String(forwarded ?? headers.host ?? '').split(',')[0] as string).trim().toLowerCase();
}

function hostOf(origin: string): string | undefined {
  return URL.canParse(origin) ? new URL(origin).host : undefined;
}

/** The host as a URL writes it: without the port that its scheme has anyway. */
function sameHost(origin: string, host: string | undefined): boolean {
  const page = hostOf(origin);
  return page !== undefined && page === hostOf(`${origin.split('://')[0]}://${host}`);
}

/**
 * Whether a browser sent the request from a page of another site (`wire.md` section 3; Fetch metadata, W3C):
 * by `Sec-Fetch-Site` or, from browsers that do not send it, by an `Origin` other than the request's own host.
 */
export function isCrossSite(
  headers: IncomingHttpHeaders,
  allowed: readonly string[],
  behindProxy: boolean,
): boolean {
  const { origin } = headers;
  if (isAllowedOrigin(origin, allowed)) return false;
  const site = headers['sec-fetch-site'];
  if (site !== undefined) return site === 'cross-site';
  return origin !== undefined && !sameHost(origin, addressedHost(headers, behindProxy));
}

/**
 * Whether a script in a page sent the request: browsers send both headers, Node's own fetch only the latter.
 * Such a call is challenged without `Basic`, so that no log-in box pops up.
 */
export function isFromPageScript(headers: IncomingHttpHeaders): boolean {
  if (headers['x-requested-with'] !== undefined) return true;
  const mode = headers['sec-fetch-mode'];
  return headers['sec-fetch-site'] !== undefined && mode !== undefined && mode !== 'navigate';
}
