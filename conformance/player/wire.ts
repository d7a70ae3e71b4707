import {
  type ClientRequest,
  type IncomingMessage,
  type OutgoingHttpHeaders,
  request as requestPlain,
} from 'node:http';
import { request as requestTls } from 'node:https';
import type { ExchangeRequest } from './case-file.ts';
import { filled, filledJson, filledTarget, type Variables } from './variables.ts';

/** Bytes of the longest answer that is read. */
const LONGEST = 4 * 1024 * 1024;

/** An answer of the server; names of headers are in lower case. */
export interface ReceivedAnswer {
  readonly status: number;
  readonly headers: IncomingMessage['headers'];
  readonly text: string;
}

/** The addresses of the server, and its deadline for one whole answer in milliseconds. */
export interface ServerUnderTest {
  readonly bases: Readonly<Record<NonNullable<ExchangeRequest['base']>, URL>>;
  readonly deadline: number;
  /** Called with each answer. */
  readonly onAnswer: (received: ReceivedAnswer) => void;
}

const BOUNDARY = 'tessera-conformance';

function formOf({ form = {}, inParts }: ExchangeRequest, variables: Variables): string {
  const fields = Object.entries(form).map(([name, text]) => [name, filled(text, variables)] as const);
  if (!inParts) return new URLSearchParams(fields.map((field) => [...field])).toString();
  const parts = fields.map(
    ([name, text]) => `--${BOUNDARY}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${text}\r\n`,
  );
  return `${parts.join('')}--${BOUNDARY}--\r\n`;
}

function bodyOf(asked: ExchangeRequest, variables: Variables): string | undefined {
  const { json, form, body, repeated = 1 } = asked;
  if (form !== undefined) return formOf(asked, variables);
  const text = json === undefined ? body : JSON.stringify(filledJson(json, variables));
  return text?.repeat(repeated);
}

function typeOf({ form, inParts }: ExchangeRequest): OutgoingHttpHeaders {
  if (form === undefined) return {};
  const type = inParts ? `multipart/form-data; boundary=${BOUNDARY}` : 'application/x-www-form-urlencoded';
  return { 'content-type': type };
}

function headersOf(asked: ExchangeRequest, variables: Variables, body?: string) {
  const { headers = {}, basic, chunked } = asked;
  const sent = typeOf(asked);
  for (const [name, value] of Object.entries(headers)) sent[name] = filled(value, variables);
  if (basic !== undefined)
    sent.authorization = `Basic ${Buffer.from(filled(basic, variables)).toString('base64')}`;
  if (chunked) sent['transfer-encoding'] = 'chunked';
  else if (body !== undefined) sent['content-length'] = Buffer.byteLength(body);
  return sent;
}

/** Sends a request on a new connection, with its target exactly as the case has it. */
function send(
  asked: ExchangeRequest,
  { bases }: ServerUnderTest,
  variables: Variables,
  signal: AbortSignal,
): ClientRequest {
  const base = bases[asked.base ?? 'scripts'];
  const [method = '', target = ''] = filledTarget(asked.ask, variables).split(/ (.*)/s);
  const path = base.pathname.replace(/\/+$/, '') + target;
  const body = bodyOf(asked, variables);
  const headers = headersOf(asked, variables, body);
  const request = base.protocol === 'https:' ? requestTls : requestPlain;
  const { hostname, port } = base;
  const host = hostname.replace(/^\[|\]$/g, '');
  const sent = request({ hostname: host, port, method, path, headers, agent: false, signal });
  if (headers.expect === undefined) sent.end(body);
  else {
    sent.flushHeaders();
    sent.on('continue', () => sent.end(body));
  }
  const { stray } = asked;
  // On 'connect' the head of the request is already written.
  if (stray !== undefined)
    sent.on('socket', (socket) => socket.on('connect', () => void socket.write(stray)));
  return sent;
}

async function textOf(response: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    length += chunk.length;
    if (length > LONGEST) throw new Error(`The answer is longer than ${LONGEST} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

/** Sends a request and reads the whole answer. Rejects when no whole answer comes within the deadline. */
export async function exchange(
  asked: ExchangeRequest,
  server: ServerUnderTest,
  variables: Variables,
): Promise<ReceivedAnswer> {
  const signal = AbortSignal.timeout(server.deadline);
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  const sent = send(asked, server, variables, signal).on('response', resolve).on('error', reject);
  // Without this listener Node reports neither an answer nor an error.
  sent.on('upgrade', (_, socket) => {
    socket.destroy();
    reject(new Error('The answer is 101, which was not asked for'));
  });
  try {
    const response = await promise;
    const text = await textOf(response);
    const received = { status: response.statusCode ?? 0, headers: response.headers, text };
    server.onAnswer(received);
    return received;
  } catch (error) {
    throw signal.aborted ? new Error(`No whole answer within ${server.deadline} ms`) : error;
  } finally {
    sent.destroy();
  }
}
