import { type Api, apiAt } from '../api.ts';
import { redact } from '../domain/redaction.ts';
import { isRefusal, type Refusal, type RefusalCode } from '../domain/refusal.ts';
import { languageAmong } from '../gate/operation-context.ts';
import { formTokenOf } from '../gate/tickets.ts';
import type { RefusedRequest, ShowRefused, SignInButton } from '../representations/representation.ts';
import type { ClientAddresses } from './client-address.ts';
import { addressedBy, fromBrowser, originOf } from './cookie.ts';
import { isFromPageScript } from './csrf.ts';
import { type ErrorContext, errorDocument, formatByAccept, sentenceOf } from './error-document.ts';
import { htmlDocument, MEDIA_TYPES } from './formats.ts';
import type { ProxyRequests } from './proxy-requests.ts';
import { type Reply, setPolicy, setPortalPolicy } from './reply.ts';
import { readForm } from './request-body.ts';
import { pathOf, type RefusedAt } from './resolve-request.ts';
import { originForm } from './routes.ts';
import { STATUS } from './status.ts';

/** The parts that answers to refused requests need. */
export interface RefusalParts extends Pick<ErrorContext, 'signature'> {
  readonly addresses: ClientAddresses;
  /** The domain of the hosts that share a browser's ticket; empty for one host alone. */
  readonly cookieDomain: string;
  /** Serves the requests in which proxies ask about others; undefined if no operation has `anyRequest`. */
  readonly proxyRequests?: ProxyRequests | undefined;
  /** Epoch milliseconds. */
  readonly clock: () => number;
  /** Hosts, besides the own one, to which a sign-in may lead. */
  readonly returnHosts: readonly string[];
  /** Returns the identity providers on the sign-in page. */
  readonly signInButtons: () => readonly SignInButton[];
  /** Shows a refusal of the portal, if the page that was asked for does not show its own. Undefined if there is no portal. */
  readonly refusalPage?: ShowRefused | undefined;
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
  const { refusalPage } = parts;
  if (api?.byCookie && refusalPage !== undefined) {
    sendRefusedPage(reply, refusal, operation?.output.refusedHtml ?? refusalPage, parts);
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
    setPolicy(reply, MEDIA_TYPES.html);
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
    // RFC 6750 section 3.1: the client gets another token.
    const isToken = refusal.refused === 'access_token_refused';
    const challenge = isToken ? 'Bearer realm="Tessera", error="invalid_token"' : `${scheme} realm="Tessera"`;
    reply.header('WWW-Authenticate', challenge);
  }
  setPolicy(reply, type);
  reply.send(status, { type, text: body });
}

/** Refusals of the portal that a sign-in mends. */
const SIGN_IN_NEEDED: ReadonlySet<RefusalCode> = new Set([
  'authentication_needed',
  'ticket_needed',
  'admin_credential_needed',
]);

/** The status of a page. A wait is 429 (RFC 6585), with `Retry-After`; programs get the status that the specification says. */
const pageStatus = ({ refused, retryAfter }: Refusal): number =>
  retryAfter !== undefined && STATUS[refused] < 500 ? 429 : STATUS[refused];

/** The user whom a page refuses, if one is signed in. */
function signedIn(
  { record, request }: Reply,
  { refused, role, user: named }: Refusal,
  parts: RefusalParts,
): Pick<RefusedRequest, 'user' | 'role' | 'formToken'> {
  // A page that needs a role knows its reader before it refuses.
  const user = record.user ?? (refused === 'role_needed' ? named : undefined);
  if (user === undefined) return { user, role: undefined, formToken: undefined };
  const { header } = fromBrowser(request, parts).presented;
  const ticket = header && 'ticket' in header ? header.ticket : '';
  return { user, role, formToken: formTokenOf(ticket) };
}

/** Sends a browser without a live ticket to the sign-in, and from there back to the page. Shows any other refusal as a page. */
function sendRefusedPage(reply: Reply, refusal: Refusal, show: ShowRefused, parts: RefusalParts): void {
  const { request } = reply;
  const { refused, detail, passwordFault, retryAfter } = refusal;
  if (SIGN_IN_NEEDED.has(refused)) {
    const page = request.raw.method === 'GET' ? originForm(request.originalUrl) : '/portal';
    reply.header('Location', `/portal/login?return=${encodeURIComponent(page)}`).send(303);
    return;
  }
  const given = readForm(request.body);
  const status = pageStatus(refusal);
  const { text, formLeadsTo } = show({
    refused,
    status,
    message: sentenceOf(refusal, request.id),
    detail: detail && redact(detail),
    passwordFault,
    retryAfter,
    ...signedIn(reply, refusal, parts),
    path: originForm(request.originalUrl).split('?', 1)[0] as string,
    form: isRefusal(given) ? {} : given.json,
    languageAmong: (languages) => languageAmong(languages, request.raw.headers['accept-language']),
    origin: originOf(addressedBy(request, parts)),
    returnHosts: parts.returnHosts,
    signInButtons: parts.signInButtons(),
    requestId: request.id,
  });
  setPortalPolicy(reply, formLeadsTo);
  reply.send(status, { type: MEDIA_TYPES.html, text });
}
