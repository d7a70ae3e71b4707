import { createHash } from 'node:crypto';
import { validateHeaderValue } from 'node:http';
import type { Writable } from 'node:stream';
import { LRUCache } from 'lru-cache';
import Negotiator from 'negotiator';
import type { Answer, CompressedBody } from '../answer.ts';
import type { Asset } from '../asset.ts';
import type { AnyOperation } from '../operation.ts';
import type { Format } from '../representations/representation.ts';
import type { RequestRecord } from '../telemetry/metrics.ts';
import { MEDIA_TYPES, PAGE_POLICY, PICTURE_POLICY, portalPolicy, SCRIPT_POLICY, write } from './formats.ts';
import type { HttpRequest, ResponseWriter } from './http-request.ts';

/** The record of a request, filled in while it is handled. */
type MutableRequestRecord = { -readonly [K in keyof RequestRecord]: RequestRecord[K] };

/** All members from the start, so that the records of all requests have one shape. */
const newRecord = (id: string): MutableRequestRecord => ({
  id,
  operation: undefined,
  isLogin: false,
  passwordInUrl: false,
  refusal: undefined,
  status: 0,
  duration: 0,
  user: undefined,
  digest: undefined,
  client: undefined,
  address: undefined,
});

/** What answers are given with. */
export interface ReplyParts {
  /** Called with the record of each request once it is answered. */
  readonly onAnswered: (answered: RequestRecord) => void;
  readonly allowedOrigins: readonly string[];
  /** Headers of every answer, names and values in turn. */
  readonly headers: readonly string[];
  /** Whether each connection is closed after its next answer. */
  isClosing: boolean;
}

/** Text with its media type; a text that is sent more than once is kept as UTF-8. */
interface BodyContent {
  readonly type: string;
  readonly text: string | Buffer;
}

/** Who may cache an answer: no one; its caller, who asks each time whether it still holds; for a year its caller, or everybody. */
type Caching = 'not-cached' | 'revalidated' | 'by-caller' | 'by-all';

const CACHE_CONTROL: Readonly<Record<Caching, string>> = {
  'not-cached': 'no-cache, no-store',
  revalidated: 'private, no-cache',
  'by-caller': 'private, max-age=31536000, immutable',
  'by-all': 'public, max-age=31536000, immutable',
};

/** Headers that pages of allowed origins may read. */
const EXPOSED = 'Retry-After, X-Request-Id, ETag, Content-Language';

/** The answer to one request: it collects the headers, and writes them with the body in one piece. */
export class Reply {
  readonly request: HttpRequest;
  readonly record: MutableRequestRecord;
  readonly #writer: ResponseWriter;
  readonly #parts: ReplyParts;
  readonly #headers: string[];
  readonly #varying: string[] = [];
  #isLast = false;
  #allowedOrigin: string | undefined;

  constructor(request: HttpRequest, writer: ResponseWriter, parts: ReplyParts) {
    this.request = request;
    this.record = newRecord(request.id);
    this.#writer = writer;
    this.#parts = parts;
    this.#headers = ['X-Content-Type-Options', 'nosniff', 'X-Request-Id', request.id, ...parts.headers];
    const { origin } = request.raw.headers;
    this.#allowedOrigin = origin !== undefined && parts.allowedOrigins.includes(origin) ? origin : undefined;
  }

  /** The `Origin` of the request, if it is another origin and allowed. */
  get allowedOrigin(): string | undefined {
    return this.#allowedOrigin;
  }

  /** Has browsers hide the answer from pages of all other origins, the allowed ones too. */
  hideFromOtherOrigins(): void {
    this.#allowedOrigin = undefined;
  }

  /** Adds a header. Throws if the value holds a character that no header may hold, such as a line break. */
  header(name: string, value: string | number): this {
    validateHeaderValue(name, String(value));
    this.#headers.push(name, String(value));
    return this;
  }

  /** Closes the connection after this answer. */
  closeAfter(): void {
    this.#isLast = true;
  }

  /** Names fields of the request that the answer depends on. */
  vary(...names: string[]): void {
    this.#varying.push(...names);
  }

  /** Sends the answer and reports the record of the request. */
  send(status: number, content?: BodyContent, caching: Caching = 'not-cached'): void {
    const headers = this.#headers;
    this.#addCaching(caching);
    const { text = '', type } = content ?? {};
    const bytes = Buffer.byteLength(text);
    if (type !== undefined) headers.push('Content-Type', type);
    if (status !== 204 && status !== 304) headers.push('Content-Length', String(bytes));
    // If every character takes one byte, both encodings give the same bytes, and Node writes latin1 faster.
    const encoding = bytes === text.length ? 'latin1' : 'utf8';
    this.#writer.write({ status, headers, text, encoding, isLast: this.#isLast || this.#parts.isClosing });
    this.#report(status);
  }

  /** Sends the head of an answer whose text follows, and reports the record of the request. */
  stream(type: string): Writable {
    this.#addCaching('not-cached');
    // Otherwise nginx holds messages back until it has some thousand bytes.
    this.#headers.push('Content-Type', type, 'X-Accel-Buffering', 'no');
    const text = this.#writer.stream({ status: 200, headers: this.#headers });
    this.#report(200);
    return text;
  }

  #addCaching(caching: Caching): void {
    const headers = this.#headers;
    headers.push('Cache-Control', CACHE_CONTROL[caching]);
    if (caching === 'not-cached') headers.push('Pragma', 'no-cache');
    if (caching === 'revalidated') this.vary('Authorization', 'Accept-Language');
    if (this.#allowedOrigin !== undefined) this.#addAllowedOrigin(this.#allowedOrigin);
    if (this.#varying.length > 0) headers.push('Vary', this.#varying.join(', '));
  }

  #addAllowedOrigin(origin: string): void {
    this.header('Access-Control-Allow-Origin', origin);
    // Without it browsers hide the answer from a page that asks with credentials, even if the request carries none.
    this.header('Access-Control-Allow-Credentials', 'true');
    this.header('Access-Control-Expose-Headers', EXPOSED);
    this.#varying.unshift('Origin');
  }

  #report(status: number): void {
    this.record.status = status;
    this.record.duration = performance.now() - this.request.began;
    this.#parts.onAnswered(this.record);
  }
}

/** The content coding of a body that there is in several. */
type Coding = keyof CompressedBody | 'identity';

/** The codings that are offered, the smallest first. */
const CODINGS: readonly Coding[] = ['br', 'gzip', 'identity'];

/** A body as it is sent, with its strong entity tag (RFC 9110 section 8.8.3) if clients may cache it. */
export interface Body extends BodyContent {
  readonly etag?: string;
  /** The coding that was chosen by `Accept-Encoding`; absent if there is no choice. */
  readonly coding?: Coding;
}

/** The smallest coding that the caller accepts, or `identity` if the caller accepts none of them. */
function codingFor(acceptEncoding: string | undefined): Coding {
  const accepted = new Negotiator({ headers: { 'accept-encoding': acceptEncoding } }).encodings([...CODINGS]);
  return CODINGS.find((coding) => accepted.includes(coding)) ?? 'identity';
}

/** How many bodies are kept, and how many bytes of bodies and keys. */
const KEPT = {
  max: 1_000,
  maxSize: 32_000_000,
  sizeCalculation: ({ text }: Body, key: string) => key.length + text.length,
};

function bodyOf(
  { api, output, revalidated }: AnyOperation,
  { value, compressed }: Answer<unknown>,
  format: Format,
  coding?: Coding,
): Body {
  const coded = coding === undefined || coding === 'identity' ? undefined : compressed?.[coding];
  const text = coded ?? write(output, value as never, format);
  const body = { type: api?.mediaType ?? MEDIA_TYPES[format], text, ...(coding && { coding }) };
  return revalidated ? { ...body, etag: etagOf(text, output.state?.(value as never)) } : body;
}

const tagOf = (text: string | Buffer) => createHash('sha256').update(text).digest('base64url').slice(0, 22);

/** The strong entity tag of a body. If there is a state, the tag begins with that of the state, and a dot. */
function etagOf(text: string | Buffer, state: unknown): string {
  return state === undefined ? `"${tagOf(text)}"` : `"${tagOf(JSON.stringify(state))}.${tagOf(text)}"`;
}

/** Whether `If-Match` names the JSON body that shows this value or, if the representation has a `state`, one of this state. */
export function isMatched(ifMatch: string, representation: AnyOperation['output'], value: unknown): boolean {
  const state = representation.state?.(value as never);
  const tags = state === undefined ? ifMatch : ifMatch.replaceAll(/\.[\w-]*"/g, '"');
  // A proxy that compresses makes a tag weak (W/). It still names this body.
  return isKept(
    tags,
    etagOf(
      state === undefined ? write(representation, value as never, 'json') : JSON.stringify(state),
      undefined,
    ),
  );
}

/** Makes the bodies of answers. Answers with the same `sameAs` share one body, which is made once and kept. */
export class Bodies {
  readonly #kept = new LRUCache<string, Body>(KEPT);

  /** The body of an answer, in a coding that the caller accepts; undefined for an operation whose answers have no body. */
  of(
    operation: AnyOperation,
    answer: Answer<unknown>,
    format: Format,
    acceptEncoding?: string,
  ): Body | undefined {
    if (operation.output.isEmpty) return undefined;
    if (answer.sameAs === undefined) return bodyOf(operation, answer, format);
    const coding = answer.compressed && codingFor(acceptEncoding);
    const key = `${operation.id} ${format} ${coding ?? ''} ${answer.sameAs}`;
    const cached = this.#kept.get(key);
    if (cached !== undefined) return cached;
    const fresh = bodyOf(operation, answer, format, coding);
    const body = { ...fresh, text: Buffer.from(fresh.text) };
    this.#kept.set(key, body);
    return body;
  }
}

/** Whether `If-None-Match` or `If-Match` holds this tag, weak or strong, or `*`. */
export function isKept(tags: string | undefined, etag: string): boolean {
  if (tags === undefined) return false;
  return tags.trim() === '*' || tags.split(',').some((tag) => tag.trim().replace(/^W\//, '') === etag);
}

/** Sets the policy of a page (CSP, W3C). A page cannot loosen the policy of this header. */
export function setPolicy(reply: Reply, type: string, operation?: AnyOperation): void {
  if (type !== MEDIA_TYPES.html) return;
  reply.header('Content-Security-Policy', operation?.runsScript ? SCRIPT_POLICY : PAGE_POLICY);
}

/** Sets the policies of a page of the portal. */
export function setPortalPolicy(reply: Reply, formLeadsTo: string | undefined): void {
  reply.header('Content-Security-Policy', portalPolicy(formLeadsTo));
  // With `no-referrer`, browsers would hide the origin of the page's own forms.
  reply.header('Referrer-Policy', 'same-origin');
}

/**
 * Sends an answer with the status that the operation declares. If the operation lets callers cache its answers, a caller
 * who has the body already is sent 304.
 */
export function sendAnswer(
  reply: Reply,
  body: Body | undefined,
  operation: AnyOperation,
  { value, language, lasting, status }: Answer<unknown>,
): void {
  const { answers, output, revalidated, authentication } = operation;
  const headers = output.headers?.of(value as never) ?? {};
  for (const name in headers) reply.header(name, headers[name] as string);
  if (body?.type === MEDIA_TYPES.svg) reply.header('Content-Security-Policy', PICTURE_POLICY);
  else if (body !== undefined && operation.api?.byCookie)
    setPortalPolicy(reply, output.formLeadsTo?.(value as never));
  else if (body !== undefined) setPolicy(reply, body.type, operation);
  if (language !== undefined) reply.header('Content-Language', language);
  const lastingFor = authentication === 'none' ? 'by-all' : 'by-caller';
  const caching = lasting ? lastingFor : revalidated ? 'revalidated' : 'not-cached';
  sendBody(reply, status ?? answers ?? 200, body, caching);
}

/** Sends a body with its entity tag and its coding; 304 to a caller who has it already. */
function sendBody(reply: Reply, status: number, body: Body | undefined, caching: Caching): void {
  const { etag, coding } = body ?? {};
  if (coding !== undefined) reply.vary('Accept-Encoding');
  if (etag !== undefined) reply.header('ETag', etag);
  if (etag !== undefined && isKept(reply.request.raw.headers['if-none-match'], etag)) {
    reply.send(304, undefined, caching);
    return;
  }
  if (coding !== undefined && coding !== 'identity') reply.header('Content-Encoding', coding);
  reply.send(status, body, caching);
}

/** Sends a text of which the service has one version only, in a coding that the caller accepts. */
export async function sendAsset(reply: Reply, status: number, type: string, asset: Asset): Promise<void> {
  const coding = codingFor(reply.request.raw.headers['accept-encoding']);
  const text = coding === 'identity' ? asset.text : (await asset.compressed())[coding];
  sendBody(reply, status, { type, text, coding, etag: `"${asset.tag}-${coding}"` }, 'revalidated');
}
