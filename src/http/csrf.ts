import type { IncomingHttpHeaders } from 'node:http';
import { namedHost } from './host.ts';
import type { RequestHead } from './http-request.ts';

/** The host that the caller addressed, as a trusted proxy tells it if there is one. */
export function addressedHost(url: string, raw: RequestHead, behindProxy: boolean): string {
  const forwarded = behindProxy ? raw.headers['x-forwarded-host'] : undefined;
  const host = forwarded ?? namedHost(url, raw) ?? '';
  return (String(host).split(',')[0] as string).trim().toLowerCase();
}

/** Without its port: ports make no other site, and proxies are set up to pass `Host` on without it. */
function hostOf(origin: string): string | undefined {
  return URL.canParse(origin) ? new URL(origin).hostname : undefined;
}

/** A host as the log shows it: no name is longer. */
const shown = (host: string | undefined) => host?.slice(0, 255) || 'none';

/** How the page's host differs from the one that was asked; nothing where both are the same. */
function otherHost(origin: string, host: string): string | undefined {
  const page = hostOf(origin);
  const asked = hostOf(`http://${host}`);
  return page !== undefined && page === asked
    ? undefined
    : `origin ${shown(page)}, asked host ${shown(asked)}`;
}

/** What `Sec-Fetch-Site` says of a request that no page of another site sent; beside `cross-site` it has no values. */
const OWN_SITE: ReadonlySet<string | undefined> = new Set(['same-origin', 'same-site', 'none']);

/**
 * CSRF check: returns why the request is cross-site, or undefined (`wire.md` section 3; Fetch metadata, W3C). It goes by
 * `Sec-Fetch-Site` or, if that is missing or has an unknown value, by an `Origin` other than the request's own host. The
 * text is for the log: of the headers it repeats hosts alone.
 */
export function csrfFault(
  url: string,
  raw: RequestHead,
  allowed: readonly string[],
  behindProxy: boolean,
): string | undefined {
  const { headers } = raw;
  const { origin } = headers;
  if (origin !== undefined && allowed.includes(origin)) return undefined;
  const site = headers['sec-fetch-site'] as string | undefined;
  if (OWN_SITE.has(site)) return undefined;
  if (site === 'cross-site') return `Sec-Fetch-Site: cross-site, origin ${shown(origin && hostOf(origin))}`;
  return origin === undefined ? undefined : otherHost(origin, addressedHost(url, raw, behindProxy));
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
