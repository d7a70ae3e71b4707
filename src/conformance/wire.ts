import { type IncomingMessage, type OutgoingHttpHeaders, request as requestPlain } from 'node:http';
import { request as requestTls } from 'node:https';
import { buffer } from 'node:stream/consumers';
import type { ExchangeRequest } from './document.ts';
import { filled, filledJson, filledTarget, type Variables } from './variables.ts';

/** An answer as it came in; names of headers in lower case. */
export interface Heard {
  readonly status: number;
  readonly headers: IncomingMessage['headers'];
  readonly text: string;
}

/** Where a server is, and how long it may take for one answer, in milliseconds. */
export interface Server {
  readonly bases: Readonly<Record<NonNullable<ExchangeRequest['base']>, URL>>;
  readonly patience: number;
  /** Told of each answer as it came in. */
  readonly onHeard: (heard: Heard) => void;
}

function bodyOf({ json, body, repeated = 1 }: ExchangeRequest, variables: Variables): string | undefined {
  const text = json === undefined ? body : JSON.stringify(filledJson(json, variables));
  return text?.repeat(repeated);
}

function headersOf({ headers = {}, basic, chunked }: ExchangeRequest, variables: Variables, body?: string) {
  const sent: OutgoingHttpHeaders = {};
  for (const [name, value] of Object.entries(headers)) sent[name] = filled(value, variables);
  if (basic !== undefined)
    sent.authorization = `Basic ${Buffer.from(filled(basic, variables)).toString('base64')}`;
  if (chunked) sent['transfer-encoding'] = 'chunked';
  else if (body !== undefined) sent['content-length'] = Buffer.byteLength(body);
  return sent;
}

/**
 * Sends a request on a connection of its own, its target to the byte as it is written, and reads the whole answer.
 * Rejects when none comes.
 */
export async function exchange(
  asked: ExchangeRequest,
  { bases, patience, onHeard }: Server,
  variables: Variables,
): Promise<Heard> {
  const base = bases[asked.base ?? 'scripts'];
  const [method = '', target = ''] = filledTarget(asked.ask, variables).split(/ (.*)/s);
  const path = base.pathname.replace(/\/$/, '') + target;
  const body = bodyOf(asked, variables);
  const headers = headersOf(asked, variables, body);
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  const send = base.protocol === 'https:' ? requestTls : requestPlain;
  const { hostname, port } = base;
  const host = hostname.replace(/^\[|\]$/g, '');
  const sent = send({ hostname: host, port, method, path, headers, agent: false, timeout: patience });
  sent.on('response', resolve).on('error', reject);
  sent.on('timeout', () => sent.destroy(new Error(`No answer within ${patience} ms`)));
  if (headers.expect === undefined) sent.end(body);
  else {
    sent.flushHeaders();
    sent.on('continue', () => sent.end(body));
  }
  const { stray } = asked;
  // Once there is a connection the head is on its way before them.
  if (stray !== undefined)
    sent.on('socket', (socket) => socket.on('connect', () => void socket.write(stray)));
  const response = await promise;
  const bytes = await buffer(response);
  sent.destroy();
  const heard = { status: response.statusCode ?? 0, headers: response.headers, text: bytes.toString('utf8') };
  onHeard(heard);
  return heard;
}
