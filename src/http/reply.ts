import { validateHeaderValue } from 'node:http';
import type { RequestRecord } from '../telemetry/observer.ts';
import type { HttpRequest, ResponseWriter } from './http-request.ts';

/** What will be told of a request, filled in as it is found out. */
type MutableRequestRecord = { -readonly [K in keyof RequestRecord]: RequestRecord[K] };

/** All members from the start, so that those of every request have one shape. */
const untold = (id: string): MutableRequestRecord => ({
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
  /** Told of each request once it is answered. */
  readonly onAnswered: (answered: RequestRecord) => void;
  readonly allowedOrigins: readonly string[];
  /** Names and values in turn, for every answer. */
  readonly headers: readonly string[];
  /** Whether connections are to be closed after their answer. */
  readonly isClosing: () => boolean;
}

/** Text with its media type; what is sent more than once is UTF-8 already. */
export interface BodyContent {
  readonly type: string;
  readonly text: string | Buffer;
}

/** Who may keep an answer: nobody; its caller, who asks anew each time; for a year its caller, or everybody. */
type Keeping = 'not-kept' | 'revalidated' | 'by-caller' | 'by-all';

const CACHE_CONTROL: Readonly<Record<Keeping, string>> = {
  'not-kept': 'no-cache, no-store',
  revalidated: 'private, no-cache',
  'by-caller': 'private, max-age=31536000, immutable',
  'by-all': 'public, max-age=31536000, immutable',
};

/** What pages of allowed origins may read beside the body. */
const EXPOSED = 'Retry-After, X-Request-Id, ETag, Content-Language';

/** One answer on its way: its headers are gathered, and written with the body in one piece. */
export class Reply {
  readonly request: HttpRequest;
  readonly told: MutableRequestRecord;
  readonly #writer: ResponseWriter;
  readonly #parts: ReplyParts;
  readonly #headers: string[];
  readonly #varying: string[] = [];
  /** The page that may read the answer, where it is one of another origin that is allowed. */
  readonly allowedOrigin: string | undefined;

  constructor(request: HttpRequest, writer: ResponseWriter, parts: ReplyParts) {
    this.request = request;
    this.told = untold(request.id);
    this.#writer = writer;
    this.#parts = parts;
    this.#headers = ['X-Content-Type-Options', 'nosniff', 'X-Request-Id', request.id, ...parts.headers];
    const { origin } = request.raw.headers;
    this.allowedOrigin = origin !== undefined && parts.allowedOrigins.includes(origin) ? origin : undefined;
    if (this.allowedOrigin === undefined) return;
    this.header('Access-Control-Allow-Origin', this.allowedOrigin);
    // Without it browsers keep the answer from a page that asks with credentials, even where there are none.
    this.header('Access-Control-Allow-Credentials', 'true');
    this.header('Access-Control-Expose-Headers', EXPOSED);
  }

  /** Adds a header. Throws where the value has a character that could end its line, or has none in a header. */
  header(name: string, value: string | number): this {
    validateHeaderValue(name, String(value));
    this.#headers.push(name, String(value));
    return this;
  }

  /** Names fields of the request that the answer depends on. */
  vary(...names: string[]): void {
    this.#varying.push(...names);
  }

  /** Sends the answer, and tells of it. */
  send(status: number, content?: BodyContent, keeping: Keeping = 'not-kept'): void {
    const headers = this.#headers;
    headers.push('Cache-Control', CACHE_CONTROL[keeping]);
    if (keeping === 'not-kept') headers.push('Pragma', 'no-cache');
    if (keeping === 'revalidated') this.vary('Authorization', 'Accept-Language');
    if (this.allowedOrigin !== undefined) this.#varying.unshift('Origin');
    if (this.#varying.length > 0) headers.push('Vary', this.#varying.join(', '));
    const { text = '', type } = content ?? {};
    const bytes = Buffer.byteLength(text);
    if (type !== undefined) headers.push('Content-Type', type);
    if (status !== 204 && status !== 304) headers.push('Content-Length', String(bytes));
    // Where every character takes one byte, both are the same, and Node writes the former with less work.
    const encoding = bytes === text.length ? 'latin1' : 'utf8';
    this.#writer.write({ status, headers, text, encoding, isLast: this.#parts.isClosing() });
    this.told.status = status;
    this.told.duration = performance.now() - this.request.began;
    this.#parts.onAnswered(this.told);
  }
}
