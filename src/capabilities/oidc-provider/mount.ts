import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import type Provider from 'oidc-provider';
import type { KoaContextWithOIDC } from 'oidc-provider';
import type { Brand } from '../../core/domain/brand.ts';
import { type Refusal, refuse } from '../../core/domain/refusal.ts';
import { type HeldTicket, shortDigest } from '../../core/domain/ticket.ts';
import { furtherCookies } from '../../core/http/cookie.ts';
import type { MountedAnswer, MountedRequest } from '../../core/http/mounted.ts';
import { AS_OPAQUE, type ProtocolFault, requestFacts } from './adapter.ts';
import { COOKIES } from './provider.ts';
import { leadOn } from './views.ts';

/** Takes the answer that the library writes. */
class CapturedResponse extends ServerResponse {
  readonly answered = Promise.withResolvers<string | Buffer>();

  override end(chunk?: unknown): this {
    this.answered.resolve(typeof chunk === 'string' || Buffer.isBuffer(chunk) ? chunk : '');
    this.emit('finish');
    return this;
  }
}

/** The cookies of a browser, for the library: its session is the ticket, whatever it says itself. */
function cookiesFor(cookie: string | undefined, held: HeldTicket | undefined): string {
  const others = (cookie ?? '').split(';').filter((pair) => {
    const [name] = pair.trim().split('=');
    return name !== COOKIES.session || held === undefined;
  });
  return [...others, ...(held === undefined ? [] : [`${COOKIES.session}=${held.ticket.digest}`])].join(';');
}

/** Fields in which a proxy or a client says by which address it reached the service: the issuer alone says that. */
const ADDRESS_FIELDS = [
  'x-forwarded-host',
  'x-forwarded-proto',
  'x-forwarded-for',
  'forwarded',
  'x-url-scheme',
];

/**
 * The body as the library takes it: without the secret that applications of ADF send in place of none, and with a JWT to ask about, or
 * to end, as an opaque token.
 */
function bodyOf({ body, target }: MountedRequest): Buffer | undefined {
  const [, endpoint] = /\/(token|token\/introspect|revoke)(?:\?|$)/.exec(target) ?? [];
  if (body === undefined || endpoint === undefined) return body;
  const text = body.toString('latin1').replace(/&client_secret=dummyClientSecret(?=&|$)/, '');
  const isAboutToken = endpoint !== 'token';
  const opaque = `$1token=${encodeURIComponent(AS_OPAQUE)}`;
  return Buffer.from(isAboutToken ? text.replace(/(^|&)token=(?=eyJ)/g, opaque) : text, 'latin1');
}

/** The request as Node's server would give it to the library, sent to the issuer's own address. */
function incoming(request: MountedRequest, issuer: URL, held: HeldTicket | undefined): IncomingMessage {
  const socket = Object.assign(new Socket(), { encrypted: issuer.protocol === 'https:' });
  const message = new IncomingMessage(socket);
  const { headers, method, target } = request;
  const body = bodyOf(request);
  const length = body === undefined ? {} : { 'content-length': String(body.length) };
  Object.assign(message.headers, headers, length, { host: issuer.host });
  for (const name of ADDRESS_FIELDS) delete message.headers[name];
  delete message.headers['transfer-encoding'];
  message.headers.cookie = cookiesFor(headers.cookie, held);
  const url = target.slice(issuer.pathname.length);
  Object.assign(message, { method, url, originalUrl: target, httpVersion: '1.1' });
  if (body !== undefined) message.push(body);
  message.push(null);
  return message;
}

/** Whether a step after a form leads to another host. */
function leadsOut(ctx: KoaContextWithOIDC, issuer: URL): boolean {
  const location = ctx.response.get('location');
  if (ctx.status !== 303 || location === '') return false;
  const isAfterForm = /^(?:resume|end_session_confirm)$/.test(ctx.oidc?.route ?? '');
  return isAfterForm && URL.canParse(location, issuer) && new URL(location, issuer).origin !== issuer.origin;
}

/**
 * Clients of Keycloak send credentials, and a browser hides the answer unless it takes them. No endpoint that other origins may read
 * looks at a cookie.
 */
function letCredentialsPass(response: KoaContextWithOIDC['response']): void {
  const origin = response.get('Access-Control-Allow-Origin') as string | undefined;
  if (origin && origin !== '*') response.set('Access-Control-Allow-Credentials', 'true');
}

/** What the library learned about a request while it answered. */
interface Learned {
  isFound: boolean;
  client?: string | undefined;
  /** Why it refuses the request. */
  reason?: string | undefined;
}

const learned = new WeakMap<IncomingMessage, Learned>();

/** Reads the cookies of a browser whether it came over HTTPS or not: language and theme are no secrets. */
const ANY_SCHEME = { host: 'localhost', isSecure: false };

/** Has the library answer requests of this service. */
export function mounted(provider: Provider, issuer: URL, brand: Brand) {
  provider.use(async (ctx, next) => {
    ctx.set(
      'Content-Security-Policy',
      "default-src 'none';script-src 'self';base-uri 'none';frame-ancestors 'none';form-action *",
    );
    await next();
    const { oidc } = ctx as unknown as KoaContextWithOIDC;
    const reason = reasonOf(requestFacts.get(ctx.req)?.fault ?? Object(ctx.body));
    learned.set(ctx.req, { isFound: oidc !== undefined, client: oidc?.client?.clientId, reason });
    if (leadsOut(ctx as unknown as KoaContextWithOIDC, issuer))
      leadOn(ctx as unknown as KoaContextWithOIDC, ctx.response.get('location'));
    if (ctx.type !== 'text/html') ctx.remove('Content-Security-Policy');
    letCredentialsPass(ctx.response);
  });
  const handle = provider.callback();
  return async (
    request: MountedRequest,
    held: HeldTicket | undefined,
  ): Promise<MountedAnswer | undefined> => {
    const message = incoming(request, issuer, held);
    const userAgent = request.headers['user-agent'];
    const look = { brand, cookie: furtherCookies(ANY_SCHEME, request.headers.cookie) };
    requestFacts.set(message, { held, client: { address: request.address, userAgent }, look });
    const response = new CapturedResponse(message);
    void handle(message, response);
    const text = await response.answered.promise;
    const { isFound, client, reason } = learned.get(message) ?? { isFound: true };
    if (!isFound) return undefined;
    return {
      status: response.statusCode,
      text,
      client,
      ...(held && { user: held.user.name, digest: shortDigest(held.ticket.digest) }),
      ...headersOf(response, held !== undefined),
      refusal: refusalOf(response.statusCode, reason),
    };
  };
}

/** The headers of an answer. What the library says of its session is about the ticket. */
function headersOf(
  response: ServerResponse,
  hasTicket: boolean,
): Pick<MountedAnswer, 'headers' | 'forgetsTicket'> {
  const headers: [string, string][] = [];
  let forgetsTicket = false;
  for (const [name, value] of Object.entries(response.getHeaders()))
    for (const one of [value].flat()) {
      const isSession = name === 'set-cookie' && String(one).startsWith(`${COOKIES.session}=`);
      if (isSession && hasTicket) forgetsTicket ||= /=;/.test(String(one));
      else headers.push([name, String(one)]);
    }
  return { headers, forgetsTicket };
}

/** The error as the log has it. Its description is a sentence of the library. */
function reasonOf({ error, error_description: detail }: ProtocolFault = {}): string | undefined {
  if (typeof error !== 'string') return undefined;
  return detail === undefined ? error : `${error}: ${detail.slice(0, 200)}`;
}

/** What the log and the metrics say of an answer that is no success. */
function refusalOf(status: number, reason: string | undefined): Refusal | undefined {
  if (status < 400) return undefined;
  if (status === 503) return refuse('store_unavailable');
  if (status >= 500) return refuse('internal');
  return refuse('request_malformed', reason === undefined ? {} : { reason });
}
