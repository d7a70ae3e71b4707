import type { IncomingHttpHeaders } from 'node:http';
import type { Asset } from '../asset.ts';
import type { Refusal } from '../domain/refusal.ts';
import type { Ticket } from '../domain/ticket.ts';
import type { ClientAddresses } from './client-address.ts';
import { addressedBy, arrivalOf, cookieFor, cookieTicket, setCookie } from './cookie.ts';
import type { HttpRequest } from './http-request.ts';
import { type Reply, sendAsset } from './reply.ts';
import { originForm } from './routes.ts';

/** A request for the part of the service that answers below a prefix by itself. */
export interface MountedRequest {
  readonly id: string;
  readonly method: string;
  /** Path and query, as they were sent. */
  readonly target: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer | undefined;
  /** The client's address, as throttle and events know it. */
  readonly address: string;
  /** The ticket in the browser's cookie, live or not. */
  readonly ticket: Ticket | undefined;
}

/** The answer to such a request, and what the request line says of it. */
export interface MountedAnswer {
  readonly status: number;
  /** Names and values. Length and caching are added. */
  readonly headers: readonly (readonly [name: string, value: string])[];
  /** Callers keep an asset, and ask each time whether it still holds. */
  readonly text: string | Buffer | Asset;
  readonly user?: string | undefined;
  readonly digest?: string | undefined;
  readonly client?: string | undefined;
  /** Why it is no success. */
  readonly refusal?: Refusal | undefined;
  /** Whether the browser forgets its ticket. */
  readonly forgetsTicket?: boolean;
}

/** A part of the service that answers all requests below a prefix by itself, within the limits of every request. */
export interface MountedPart {
  /** The name of its requests in the log and the metrics. */
  readonly id: string;
  /** Such as `/auth/realms/alfresco`. */
  readonly prefix: string;
  /** Paths outside of the prefix, each with the path below it for which it stands. */
  readonly aliases: ReadonlyMap<string, string>;
  /** Undefined if nothing answers at the path. Never rejects. */
  handle(request: MountedRequest): Promise<MountedAnswer | undefined>;
}

/** The target below the prefix of the part; undefined if the part does not answer here. Paths are compared as they are written. */
function mountedTarget({ prefix, aliases }: MountedPart, url: string): string | undefined {
  const target = originForm(url);
  return target.startsWith(`${prefix}/`) ? target : aliases.get(target.replace(/\?.*/, ''));
}

interface MountedParts {
  readonly addresses: ClientAddresses;
  /** The domain of the hosts that share a browser's ticket; empty for one host alone. */
  readonly cookieDomain: string;
}

function mountedRequest(request: HttpRequest, target: string, parts: MountedParts): MountedRequest {
  const { id, raw, body } = request;
  // Fastify's front takes the type of a body out of the plain headers, since it reads every body as bytes.
  const type = raw.headersDistinct['content-type']?.[0];
  return {
    id,
    method: raw.method ?? '',
    target,
    headers: type === undefined ? raw.headers : { ...raw.headers, 'content-type': type },
    body: Buffer.isBuffer(body) ? body : undefined,
    address: arrivalOf(request, parts).address,
    ticket: cookieTicket(addressedBy(request, parts), raw, parts.cookieDomain),
  };
}

/** Has the part answer that is mounted there. Returns false, and sends nothing, if none is, or it does not answer. */
export async function answerMounted(
  mounted: readonly MountedPart[],
  reply: Reply,
  parts: MountedParts,
): Promise<boolean> {
  for (const part of mounted) {
    const target = mountedTarget(part, reply.request.originalUrl);
    if (target !== undefined) return answerBy(part, target, reply, parts);
  }
  return false;
}

async function answerBy(part: MountedPart, target: string, reply: Reply, parts: MountedParts) {
  const { request, record } = reply;
  const asked = mountedRequest(request, target, parts);
  const answer = await part.handle(asked);
  if (answer === undefined) return false;
  const { status, headers, text, user, digest, client, refusal, forgetsTicket } = answer;
  Object.assign(record, { operation: part.id, address: asked.address, user, digest, client, refusal });
  // The part says itself which pages may read its answers.
  reply.hideFromOtherOrigins();
  const type = headers.find(([name]) => name.toLowerCase() === 'content-type')?.[1];
  for (const [name, value] of headers) if (!OWN.has(name.toLowerCase())) reply.header(name, value);
  if (forgetsTicket) {
    const cookie = cookieFor(addressedBy(request, parts), parts.cookieDomain);
    if (cookie !== undefined) reply.header('Set-Cookie', setCookie(cookie, 'none'));
  }
  if (type === undefined) reply.send(status);
  else if (typeof text === 'string' || Buffer.isBuffer(text)) reply.send(status, { type, text });
  else await sendAsset(reply, status, type, text);
  return true;
}

/** Fields that every answer has from here. */
const OWN: ReadonlySet<string> = new Set([
  'content-type',
  'content-length',
  'cache-control',
  'pragma',
  'x-content-type-options',
]);
