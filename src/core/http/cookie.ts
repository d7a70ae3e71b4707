import type { BrowserCookie } from '../answer.ts';
import type { Arrival } from '../domain/administration.ts';
import type { PageLook } from '../domain/brand.ts';
import { parseTicket, type Ticket } from '../domain/ticket.ts';
import type { Call, Presented } from '../gate/call.ts';
import type { ClientAddresses } from './client-address.ts';
import { presentedIn, ticketsInUri } from './credentials.ts';
import { addressedHost, embeddedFault, formFault } from './csrf.ts';
import { isLoopbackName } from './host.ts';
import type { HttpRequest, RequestHead } from './http-request.ts';

/** How a browser keeps a ticket for the host that it asked (specification, section 17). */
export interface TicketCookie {
  readonly name: '__Host-tessera' | '__Secure-tessera' | 'tessera';
  readonly attributes: string;
}

/** The settings for cookies. */
interface CookieParts {
  readonly addresses: ClientAddresses;
  /** The domain of the hosts that share a browser's ticket; empty for one host alone. */
  readonly cookieDomain: string;
}

/** The host, with its port, and the scheme by which a browser reached the service. */
export interface Addressed {
  readonly host: string;
  readonly isSecure: boolean;
}

/**
 * The address to which the request was sent. A trusted proxy names host and scheme in `X-Forwarded-Host` and
 * `X-Forwarded-Proto`.
 */
export function addressedBy(
  { originalUrl, raw }: HttpRequest,
  { addresses }: Pick<CookieParts, 'addresses'>,
): Addressed {
  const behindProxy = addresses.isBehindProxy(raw);
  const forwarded = behindProxy ? raw.headers['x-forwarded-proto'] : undefined;
  const scheme = String(forwarded ?? '').split(',', 1)[0] as string;
  return {
    host: addressedHost(originalUrl, raw, behindProxy),
    isSecure: 'encrypted' in raw.socket || scheme.trim().toLowerCase() === 'https',
  };
}

/** The origin of the service, as the browser sees it. */
export const originOf = ({ host, isSecure }: Addressed) => `${isSecure ? 'https' : 'http'}://${host}`;

/** How a request arrived. */
export function arrivalOf(request: HttpRequest, parts: Pick<CookieParts, 'addresses'>): Arrival {
  const { raw } = request;
  const { addresses } = parts;
  const byProxy = addresses.isBehindProxy(raw);
  return { address: addresses.of(raw), origin: originOf(addressedBy(request, parts)), byProxy };
}

const ATTRIBUTES = 'Path=/; HttpOnly; SameSite=Lax';

/** Whether this host, without its port, is the domain or below it. */
export const isWithin = (host: string, domain: string): boolean =>
  domain !== '' && (host === domain || host.endsWith(`.${domain}`));

/**
 * The cookie for a host that a browser reached so. `domain` is the domain of all hosts that share it; any other host has a
 * cookie of its own. Undefined for plain HTTP to another machine, where others could read the ticket on its way.
 */
export function cookieFor({ host, isSecure }: Addressed, domain: string): TicketCookie | undefined {
  const name = URL.canParse(`http://${host}`) ? new URL(`http://${host}`).hostname : '';
  if (isSecure && isWithin(name, domain))
    return { name: '__Secure-tessera', attributes: `${ATTRIBUTES}; Secure; Domain=${domain}` };
  if (isSecure) return { name: '__Host-tessera', attributes: `${ATTRIBUTES}; Secure` };
  return isLoopbackName(name) ? { name: 'tessera', attributes: ATTRIBUTES } : undefined;
}

/**
 * The value of the cookie of this name. Undefined if there is none or several different ones: then another host of the
 * domain may have set one.
 */
function valueInCookies(header: string, name: string): string | undefined {
  const values = new Set<string>();
  for (const pair of header.split(';')) {
    const at = pair.indexOf('=');
    if (at > 0 && pair.slice(0, at).trim() === name) values.add(pair.slice(at + 1).trim());
  }
  const [value, ...others] = values;
  return others.length === 0 ? value : undefined;
}

/**
 * The ticket that a browser presents in its cookie. The name for HTTPS is read for every scheme, since a browser sends that
 * cookie over HTTPS only, and not every proxy tells the scheme.
 */
export function cookieTicket(
  addressed: Addressed,
  { headers: { cookie } }: RequestHead,
  domain: string,
): Ticket | undefined {
  if (cookie === undefined) return undefined;
  const names = [cookieFor({ ...addressed, isSecure: true }, domain), cookieFor(addressed, domain)];
  for (const each of names) {
    const ticket = each && parseTicket(valueInCookies(cookie, each.name) ?? '');
    if (ticket !== undefined) return ticket;
  }
  return undefined;
}

/** The field `Set-Cookie` that has a browser keep a ticket until it is closed, or forget the one that it has. */
export function setCookie({ name, attributes }: TicketCookie, ticket: Ticket | 'none'): string {
  return ticket === 'none' ? `${name}=; Max-Age=0; ${attributes}` : `${name}=${ticket}; ${attributes}`;
}

/** The name and the attributes of a further cookie, for a host that a browser reached so; undefined where it may keep none. */
function furtherCookie(addressed: Addressed, name: string) {
  const cookie = cookieFor(addressed, '');
  return cookie && { name: `${cookie.name}-${name}`, attributes: cookie.attributes };
}

/**
 * The fields `Set-Cookie` of further cookies, for a host that a browser reached so. They are for this host alone, even if
 * hosts of a domain share the ticket.
 */
export function setFurtherCookies(addressed: Addressed, cookies: readonly BrowserCookie[]): string[] {
  return cookies.flatMap(({ name, value, maxAge }) => {
    const cookie = furtherCookie(addressed, name);
    if (cookie === undefined) return [];
    const age = value === 'none' ? '; Max-Age=0' : maxAge === undefined ? '' : `; Max-Age=${maxAge}`;
    return [`${cookie.name}=${value === 'none' ? '' : value}${age}; ${cookie.attributes}`];
  });
}

/** Reads further cookies by their names. The name for HTTPS is read for every scheme, as that of the ticket is. */
export function furtherCookies(addressed: Addressed, cookie = ''): PageLook['cookie'] {
  return (name) => {
    for (const isSecure of [true, addressed.isSecure]) {
      const further = furtherCookie({ ...addressed, isSecure }, name);
      const value = further && valueInCookies(cookie, further.name);
      if (value !== undefined && value !== '') return value;
    }
    return undefined;
  };
}

/** The credential of a request to a page: the cookie and nothing else. A form has to come from a page of this host. */
export function fromBrowser(
  request: HttpRequest,
  parts: CookieParts,
): Pick<Call, 'presented' | 'crossSite' | 'browser'> {
  const { originalUrl, raw } = request;
  const { addresses, cookieDomain } = parts;
  const addressed = addressedBy(request, parts);
  const ticket = cookieTicket(addressed, raw, cookieDomain);
  const isRead = raw.method === 'GET' || raw.method === 'HEAD';
  return {
    presented: { arguments: [], header: ticket && { ticket } },
    crossSite: isRead ? embeddedFault(raw) : formFault(originalUrl, raw, addresses.isBehindProxy(raw)),
    browser: {
      origin: originOf(addressed),
      cameFrom: raw.headers.referer,
      cookieDomain,
      keepsCookie: cookieFor(addressed, cookieDomain) !== undefined,
      cookie: furtherCookies(addressed, raw.headers.cookie),
    },
  };
}

const isTicket = (text: string) => parseTicket(text) !== undefined;

/**
 * The credential of a request that a proxy asks the gate about: a ticket in `Authorization` or in the URI that a trusted
 * proxy passes on or, if there is neither, the ticket of a browser's cookie. The protected service may have credentials of
 * its own in `Authorization`: what has not the form of a ticket does not count.
 */
export function presentedToGate(
  request: HttpRequest,
  parts: CookieParts & { readonly gateUriHeader: string },
): Presented {
  const { raw } = request;
  const { addresses, gateUriHeader, cookieDomain } = parts;
  const inUri = ticketsInUri(addresses.isBehindProxy(raw) ? raw.headers[gateUriHeader] : undefined);
  const presented = presentedIn(inUri, raw.headers.authorization);
  const { header, arguments: tickets } = presented;
  if (tickets.some(isTicket) || (header !== undefined && 'ticket' in header && isTicket(header.ticket)))
    return presented;
  const ticket = cookieTicket(addressedBy(request, parts), raw, cookieDomain);
  return ticket === undefined ? presented : { ...presented, header: { ticket } };
}
