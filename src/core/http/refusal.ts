import type { BrowserCookie } from '../answer.ts';
import { type Api, apiAt } from '../api.ts';
import type { Brand } from '../domain/brand.ts';
import { redact } from '../domain/redaction.ts';
import { isRefusal, type Refusal, type RefusalCode } from '../domain/refusal.ts';
import { languageAmong } from '../gate/language-among.ts';
import { formTokenOf } from '../gate/tickets.ts';
import type { AnyOperation } from '../operation.ts';
import type { RefusedRequest, ShowRefused, SignInButton } from '../representations/representation.ts';
import type { ClientAddresses } from './client-address.ts';
import { addressedBy, fromBrowser, furtherCookies, originOf, setFurtherCookies } from './cookie.ts';
import { isFromPageScript } from './csrf.ts';
import { type ErrorContext, errorDocument, formatByAccept, sentenceOf } from './error-document.ts';
import { htmlDocument, MEDIA_TYPES, pagePolicy } from './formats.ts';
import type { HttpRequest } from './http-request.ts';
import type { ProxyRequests } from './proxy-requests.ts';
import { type Reply, setPolicy, setPortalPolicy } from './reply.ts';
import { readForm } from './request-body.ts';
import { pathOf, type RefusedAt } from './resolve-request.ts';
import { originForm } from './routes.ts';
import { STATUS } from './status.ts';

/** A form that came after the end of the sign-in in which its page was shown. */
export interface OutdatedForm {
  /** The path to which it was sent. */
  readonly path: string;
  readonly values: Readonly<Record<string, string>>;
  /** The fields of it that a browser may keep. */
  readonly keepsFields: readonly string[];
  /** The name of the user who sent the form; undefined if the request had no live ticket. */
  readonly user: string | undefined;
  /** How the browser reached the service, such as `https://tickets.example.org`. */
  readonly origin: string;
}

/**
 * Keeps a form in a cookie until its user can send it again. `page` is the path that then shows it. Undefined if nobody can tell
 * whose form it is, or if another user is signed in now.
 */
export type KeepForm = (
  form: OutdatedForm,
) => { readonly page: string; readonly cookie: BrowserCookie } | undefined;

/** The parts that answers to refused requests need. */
export interface RefusalParts extends Pick<ErrorContext, 'signature'> {
  readonly addresses: ClientAddresses;
  /** The domain of the hosts that share a browser's ticket; empty for one host alone. */
  readonly cookieDomain: string;
  /** Serves the requests in which proxies ask about others; undefined if no operation has `anyRequest`. */
  readonly proxyRequests?: ProxyRequests | undefined;
  /** Epoch milliseconds. */
  readonly clock: () => number;
  /** The name, logo, colour and links of the operator. */
  readonly brand: Brand;
  /** Hosts, besides the own one, to which a sign-in may lead. */
  readonly returnHosts: readonly string[];
  /** Returns the identity providers on the sign-in page. */
  readonly signInButtons: () => readonly SignInButton[];
  /** How refusals are shown on pages; undefined if there are none, or none is loaded. */
  readonly pageRefusals: () => PageRefusals | undefined;
}

/** How refusals are shown on pages. */
export interface PageRefusals {
  /** Shows a refusal, if the page that was asked for does not show its own. */
  readonly refusalPage: ShowRefused;
  /** Keeps forms that came too late. */
  readonly keepForm: KeepForm;
}

/** The API that has this target below its paths. A target that cannot be decoded is compared as it is written. */
function apiIn(url: string): Api | undefined {
  const path = pathOf(url);
  return apiAt(isRefusal(path) ? url.split('/').slice(1) : path);
}

/** Sends a refusal with its status, challenge and document; of the portal as a page. */
export function sendRefusal(reply: Reply, refusal: Refusal, at: RefusedAt, parts: RefusalParts): void {
  const { operation, format } = at;
  const { request } = reply;
  const { accept } = request.raw.headers;
  const status = STATUS[refusal.refused];
  const api = operation === undefined ? apiIn(request.originalUrl) : operation.api;
  if (refusal.retryAfter !== undefined) reply.header('Retry-After', refusal.retryAfter);
  reply.record.refusal = refusal;
  reply.record.operation = operation?.id;
  const ofPages = parts.pageRefusals();
  if (api?.byCookie && ofPages !== undefined) {
    const page = keptFormPage(reply, refusal, operation, { ...ofPages, ...parts });
    if (SIGN_IN_NEEDED.has(refusal.refused)) sendToSignIn(reply, page);
    else if (page !== undefined) reply.header('Location', page).send(303);
    else sendRefusedPage(reply, refusal, operation?.output.refusedHtml ?? ofPages.refusalPage, parts);
    return;
  }
  const person =
    operation?.anyRequest && parts.proxyRequests?.refusalForPerson(request, refusal, reply.record.user);
  if (person?.location !== undefined) {
    reply.header('Location', person.location);
    if (person.redirects) {
      reply.send(302);
      return;
    }
  }
  if (person?.page !== undefined) {
    reply.header('Content-Security-Policy', pagePolicy(person.page));
    reply.send(status, { type: MEDIA_TYPES.html, text: htmlDocument(person.page) });
    return;
  }
  const named = { api, format: format ?? formatByAccept(accept), accept, requestId: request.id };
  const { type, body } = errorDocument(refusal, {
    ...named,
    now: parts.clock(),
    signature: parts.signature,
  });
  if (status === 401) {
    const scheme = api?.challenge ?? (isFromPageScript(request.raw.headers) ? 'AlfTicket' : 'Basic');
    const error = BEARER_ERRORS[refusal.refused];
    const challenge = error ? `Bearer realm="Tessera", error="${error}"` : `${scheme} realm="Tessera"`;
    reply.header('WWW-Authenticate', challenge);
  }
  setPolicy(reply, type);
  reply.send(status, { type, text: body });
}

/** What challenges tell of a token or ticket that was presented (RFC 6750 section 3.1, RFC 9470 section 3). */
const BEARER_ERRORS: { readonly [code in RefusalCode]?: string } = {
  access_token_refused: 'invalid_token',
  step_up_needed: 'insufficient_user_authentication',
};

/** Refusals of the portal that a sign-in mends. */
const SIGN_IN_NEEDED: ReadonlySet<RefusalCode> = new Set([
  'authentication_needed',
  'ticket_needed',
  'admin_credential_needed',
]);

/**
 * Has the browser keep a form that came after the end of its sign-in, and returns the path of its page. Such a form comes from a
 * page of this host: the gate refuses all others before it reads a ticket. A browser that was signed out on purpose has no
 * ticket, and keeps no form.
 */
function keptFormPage(
  reply: Reply,
  { refused }: Refusal,
  operation: AnyOperation | undefined,
  parts: RefusalParts & PageRefusals,
): string | undefined {
  const { request, record } = reply;
  const { keepsFields } = operation ?? {};
  if (keepsFields === undefined || !(SIGN_IN_NEEDED.has(refused) || refused === 'form_outdated'))
    return undefined;
  if (ticketOf(request, parts) === undefined) return undefined;
  const form = readForm(request.body);
  if (isRefusal(form)) return undefined;
  const addressed = addressedBy(request, parts);
  const path = pagePathOf(request);
  const origin = originOf(addressed);
  const keptForm = parts.keepForm({ path, values: form.json, keepsFields, user: record.user, origin });
  if (keptForm === undefined) return undefined;
  for (const each of setFurtherCookies(addressed, [keptForm.cookie])) reply.header('Set-Cookie', each);
  return keptForm.page;
}

const pagePathOf = ({ originalUrl }: HttpRequest) => originForm(originalUrl).split('?', 1)[0] as string;

/** Sends a browser without a live ticket to the sign-in, and from there back to the page. */
function sendToSignIn(reply: Reply, keptFormPage: string | undefined): void {
  const { originalUrl, raw } = reply.request;
  const page = keptFormPage ?? (raw.method === 'GET' ? originForm(originalUrl) : '/portal');
  reply.header('Location', `/portal/login?return=${encodeURIComponent(page)}`).send(303);
}

/** The status of a page. A wait is 429 (RFC 6585), with `Retry-After`; programs get the status that the specification says. */
const pageStatus = ({ refused, retryAfter }: Refusal): number =>
  retryAfter !== undefined && STATUS[refused] < 500 ? 429 : STATUS[refused];

/** The ticket in the cookie of a browser, live or not. */
function ticketOf(request: HttpRequest, parts: RefusalParts): string | undefined {
  const { header } = fromBrowser(request, parts).presented;
  return header && 'ticket' in header ? header.ticket : undefined;
}

/** The user whom a page refuses, if one is signed in. */
function signedIn(
  { record, request }: Reply,
  { refused, role, user: named }: Refusal,
  parts: RefusalParts,
): Pick<RefusedRequest, 'user' | 'role' | 'formToken'> {
  // A page that needs a role knows its reader before it refuses.
  const user = record.user ?? (refused === 'role_needed' ? named : undefined);
  if (user === undefined) return { user, role: undefined, formToken: undefined };
  return { user, role, formToken: formTokenOf(ticketOf(request, parts) ?? '') };
}

/** Shows a refusal as a page. */
function sendRefusedPage(reply: Reply, refusal: Refusal, show: ShowRefused, parts: RefusalParts): void {
  const { request } = reply;
  const { refused, detail, passwordFault, retryAfter } = refusal;
  const form = readForm(request.body);
  const addressed = addressedBy(request, parts);
  const status = pageStatus(refusal);
  const { text, formLeadsTo } = show({
    refused,
    status,
    message: sentenceOf(refusal, request.id),
    detail: detail && redact(detail),
    passwordFault,
    retryAfter,
    ...signedIn(reply, refusal, parts),
    path: pagePathOf(request),
    form: isRefusal(form) ? {} : form.json,
    languageAmong: (languages) => languageAmong(languages, request.raw.headers['accept-language']),
    browser: { brand: parts.brand, cookie: furtherCookies(addressed, request.raw.headers.cookie) },
    origin: originOf(addressed),
    returnHosts: parts.returnHosts,
    signInButtons: parts.signInButtons(),
    requestId: request.id,
  });
  setPortalPolicy(reply, formLeadsTo);
  reply.send(status, { type: MEDIA_TYPES.html, text });
}
