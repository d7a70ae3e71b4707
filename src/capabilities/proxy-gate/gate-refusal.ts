import type { Brand, PageLook } from '../../core/domain/brand.ts';
import type { Refusal } from '../../core/domain/refusal.ts';
import { languageAmong } from '../../core/gate/language-among.ts';
import type { ClientAddresses } from '../../core/http/client-address.ts';
import { addressedBy, furtherCookies, isWithin } from '../../core/http/cookie.ts';
import { isFromPageScript } from '../../core/http/csrf.ts';
import type { ServedHosts } from '../../core/http/host.ts';
import type { HttpRequest } from '../../core/http/http-request.ts';
import type { ProxyRequests, RefusalForPerson } from '../../core/http/proxy-requests.ts';
import type { Page } from '../../core/representations/representation.ts';
import { type OriginalRequest, originalRequestOf } from './original-request.ts';
import type { Lack } from './rules/rules.ts';

/** A request that the gate refuses, for the page that tells a person. */
export interface RefusedByGate {
  /** The name of the signed-in user. */
  readonly user: string | undefined;
  /** The groups whose members would be let through. */
  readonly groups: readonly string[];
  /** What the sign-in lacks by a rule. */
  readonly lack: Lack | undefined;
  /** The address for signing in once more, also as another user, if it is known. */
  readonly signIn: string | undefined;
  /** The origin of the portal, if it is known. */
  readonly portal: string | undefined;
  /** The language that the reader prefers among these. */
  readonly languageAmong: (languages: readonly string[]) => string | undefined;
  /** How pages look in the browser. */
  readonly browser: PageLook;
}

/** Makes the page about such a refusal. The page loads nothing, since it is shown on the host of the protected service. */
export type ShowRefusedByGate = (refused: RefusedByGate) => Page;

/** The settings and the page for refusals of the gate that people see. */
export interface GateRefusalParts {
  readonly addresses: ClientAddresses;
  readonly hosts: ServedHosts;
  readonly gateUriHeader: string;
  readonly brand: Brand;
  /** The domain of the hosts that share a browser's ticket; empty for one host alone. */
  readonly cookieDomain: string;
  /** The origin of the portal, if it has a host of its own; empty for the host of each protected service. */
  readonly portalUrl: string;
  /** The hosts of other domains that get tickets of their own from the portal. */
  readonly handOverHosts: readonly string[];
  /** Shows a person why the gate refuses. Undefined if there is no portal. */
  readonly gatePage?: ShowRefusedByGate | undefined;
}

/** Whether a browser navigates to the address, so that a person sees the answer (Fetch metadata, W3C). */
function isNavigation({ raw: { headers } }: HttpRequest, method: string): boolean {
  const mode = headers['sec-fetch-mode'];
  if (mode !== undefined) return mode === 'navigate';
  const accept = headers.accept ?? '';
  return /^(?:GET|HEAD)$/.test(method) && /\btext\/html\b/i.test(accept) && !isFromPageScript(headers);
}

/** The origin where the portal answers for a browser that asked for this; undefined if that is not known. */
function portalFor(
  { scheme, authority }: OriginalRequest,
  { portalUrl, hosts }: GateRefusalParts,
): string | undefined {
  if (portalUrl !== '') return portalUrl;
  const isServed = !hosts.areListed || hosts.serves(authority);
  return scheme !== undefined && isServed ? `${scheme}://${authority}` : undefined;
}

/** Path and query without `alf_ticket`, since they become part of another URL. */
function withoutTicket(target: string): string {
  const [path = '', query] = target.split(/\?(.*)/s, 2);
  if (query === undefined) return target;
  const rest = query.split('&').filter((pair) => !/^alf_ticket(?:=|$)/i.test(decodedOr(pair)));
  return rest.length === 0 ? path : `${path}?${rest.join('&')}`;
}

/** Some readers decode names, too. */
function decodedOr(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** The page of a host of another domain that gets the browser a ticket of its own. */
export const HAND_OVER = '/portal/hand-over';

/** The longest `return` that the sign-in page takes. */
const LONGEST_RETURN = 4_096;

/**
 * The address of the sign-in page, with `return` for the URL of the request. Undefined if the portal cannot be reached or
 * used from there.
 */
function signInAddress(original: OriginalRequest, parts: GateRefusalParts, more = ''): string | undefined {
  const portal = portalFor(original, parts);
  if (portal === undefined) return undefined;
  const { origin, protocol } = new URL(portal);
  const own = `${original.scheme ?? protocol.slice(0, -1)}://${original.authority}`;
  const isOwn = URL.canParse(own) && new URL(own).origin === origin;
  // A browser that signs in at the portal has to present a ticket to the other host, too: otherwise redirects make a loop.
  const sharesCookie = isOwn || isWithin(original.host, parts.cookieDomain);
  const isHandedOver = !sharesCookie && parts.handOverHosts.includes(original.authority);
  if (!sharesCookie && !isHandedOver) return undefined;
  const back = (isOwn || isHandedOver ? '' : own) + withoutTicket(original.target);
  const way = back.length > LONGEST_RETURN ? '' : `return=${encodeURIComponent(back)}`;
  const query = [more, way].filter((part) => part !== '').join('&');
  const page = isHandedOver ? `${own}${HAND_OVER}` : `${origin}/portal/login`;
  return `${page}${query === '' ? '' : `?${query}`}`;
}

/**
 * The answer to a person whom the gate refuses (specification, section 20): a redirect to the sign-in page without a live
 * ticket or if another sign-in may be enough, otherwise a page. Undefined for a program, and without a portal. `user` is the name of the signed-in user.
 */
function refusalForPerson(
  request: HttpRequest,
  refusal: Refusal,
  user: string | undefined,
  parts: GateRefusalParts,
): RefusalForPerson | undefined {
  const { gatePage } = parts;
  const original = originalRequestOf(request, parts);
  if (gatePage === undefined || 'unclear' in original || !isNavigation(request, original.method))
    return undefined;
  const redirects = parts.gateUriHeader === 'x-forwarded-uri';
  // nginx passes neither a redirect nor a page on: it knows only 401 and 403 here.
  if (refusal.refused === 'ticket_needed') return { location: signInAddress(original, parts), redirects };
  const { lack } = refusal;
  const stepUp =
    refusal.refused === 'step_up_needed'
      ? signInAddress(original, parts, `again=yes&needs=${lack}`)
      : undefined;
  if (stepUp !== undefined) return { location: stepUp, redirects };
  if (refusal.refused !== 'gate_denied' && refusal.refused !== 'step_up_needed') return undefined;
  const page = gatePage({
    user,
    groups: refusal.groups ?? [],
    lack,
    signIn: signInAddress(original, parts, 'again=yes'),
    portal: portalFor(original, parts),
    languageAmong: (languages) => languageAmong(languages, request.raw.headers['accept-language']),
    browser: {
      brand: parts.brand,
      cookie: furtherCookies(addressedBy(request, parts), request.raw.headers.cookie),
    },
  });
  return { page };
}

/** Serves the requests in which proxies ask the gate about requests to protected services. */
export function proxyRequestsOver(parts: GateRefusalParts): ProxyRequests {
  return {
    uriHeader: parts.gateUriHeader,
    partOfCall: (request) => ({ originalRequest: () => originalRequestOf(request, parts) }),
    refusalForPerson: (request, refusal, user) => refusalForPerson(request, refusal, user, parts),
  };
}
