import type { IncomingHttpHeaders } from 'node:http';
import { namedHost } from './host.ts';
import type { RequestHead } from './http-request.ts';

/** The host that the caller addressed. A trusted proxy names it in `X-Forwarded-Host`. */
export function addressedHost(url: string, raw: RequestHead, behindProxy: boolean): string {
  const forwarded = behindProxy ? raw.headers['x-forwarded-host'] : undefined;
  const host = forwarded ?? namedHost(url, raw) ?? '';
  return (String(host).split(',')[0] as string).trim().toLowerCase();
}

/** The host without its port: another port is no other site, and many proxies pass `Host` on without it. */
function hostOf(origin: string): string | undefined {
  return URL.canParse(origin) ? new URL(origin).hostname : undefined;
}

/** A host as the log shows it. No name is longer than 255 characters. */
const hostText = (host: string | undefined) => host?.slice(0, 255) || 'none';

/** How the host of the page differs from the host that was asked; undefined if both are the same. */
function otherHost(origin: string, host: string): string | undefined {
  const page = hostOf(origin);
  const target = hostOf(`http://${host}`);
  return page !== undefined && page === target
    ? undefined
    : `origin ${hostText(page)}, asked host ${hostText(target)}`;
}

/** The values of `Sec-Fetch-Site` for requests that no page of another site sent. Its only other value is `cross-site`. */
const OWN_SITE: ReadonlySet<string | undefined> = new Set(['same-origin', 'same-site', 'none']);

/**
 * CSRF check: returns why the request is cross-site, or undefined (specification, section 3; Fetch metadata, W3C). It reads
 * `Sec-Fetch-Site`. If that is missing or unknown, it compares `Origin` with the host of the request. The text is for the
 * log and repeats only hosts from the headers.
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
  if (site === 'cross-site')
    return `Sec-Fetch-Site: cross-site, origin ${hostText(origin && hostOf(origin))}`;
  return origin === undefined ? undefined : otherHost(origin, addressedHost(url, raw, behindProxy));
}

/**
 * Returns why a form may not come from a page of this host, or undefined if it does (specification, section 17). Unlike
 * {@link csrfFault} it wants evidence: `Sec-Fetch-Site: same-origin` or, from a browser without that header, an `Origin`
 * that is the host of the request. The text is for the log and repeats only hosts from the headers.
 */
export function formFault(url: string, raw: RequestHead, behindProxy: boolean): string | undefined {
  const { origin, 'sec-fetch-site': site } = raw.headers;
  if (site === 'same-origin') return undefined;
  if (site !== undefined) return `Sec-Fetch-Site: ${OWN_SITE.has(String(site)) ? site : 'cross-site'}`;
  if (origin === undefined) return 'neither Sec-Fetch-Site nor Origin';
  return otherHost(origin, addressedHost(url, raw, behindProxy));
}

/**
 * Returns why a browser may not read a page: a page of another site embeds it as a picture, a frame or data (Fetch metadata, W3C).
 * Undefined if a person opens it. An embedded page must not use up the tries of the visitor's address, since the visitor did not ask
 * for it.
 */
export function embeddedFault({ headers }: RequestHead): string | undefined {
  const {
    'sec-fetch-site': site,
    'sec-fetch-dest': destination = 'document',
    'sec-fetch-mode': mode,
  } = headers;
  // Chromium sends an empty destination for a navigation that a service worker passes on.
  const isOpened = destination === 'document' || (destination === 'empty' && mode === 'navigate');
  return site === 'cross-site' && !isOpened ? 'Sec-Fetch-Site: cross-site, embedded' : undefined;
}

/**
 * Whether a script in a page sent the request. Browsers send both headers, Node's own fetch only the second. Such a call is
 * challenged without `Basic`, so that the browser opens no log-in box.
 */
export function isFromPageScript(headers: IncomingHttpHeaders): boolean {
  if (headers['x-requested-with'] !== undefined) return true;
  const mode = headers['sec-fetch-mode'];
  return headers['sec-fetch-site'] !== undefined && mode !== undefined && mode !== 'navigate';
}
