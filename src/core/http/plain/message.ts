import { type IncomingHttpHeaders, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { isHost } from '../host.ts';
import type { HttpRequest, HttpResponse, RequestHead } from '../http-request.ts';

/** The longest request that is read here, in bytes. A ticket, a host and the fields of a browser take some hundred. */
const MOST_BYTES = 4_096;

/**
 * A whole GET of HTTP/1.1 with nothing after it: a target in origin form, and fields of one line each in printable ASCII
 * (RFC 9112 sections 3 and 5), one of them `Host`. It takes less than the grammar allows: nothing that it takes can be read
 * in two ways.
 */
const PLAIN = /^GET (\/[!"$-~]*) HTTP\/1\.1\r\n((?:[A-Za-z0-9-]+:[ -~]*\r\n)*)\r\n$/;

/** Fields that decide where a request ends, or what becomes of its connection. */
const NOT_PLAIN: ReadonlySet<string> = new Set([
  'connection',
  'content-length',
  'expect',
  'proxy-connection',
  'transfer-encoding',
  'upgrade',
]);

/** The head of a plain request. */
interface PlainHead {
  readonly target: string;
  /** The values of the fields by their names in lower case, each given once. */
  readonly fields: Readonly<Record<string, string>>;
}

/** The fields in these lines; undefined if one is not plain or is given twice. */
function fieldsOf(lines: string): Record<string, string> | undefined {
  const fields: Record<string, string> = {};
  for (let at = 0; at < lines.length; ) {
    const colon = lines.indexOf(':', at);
    const end = lines.indexOf('\r\n', colon);
    const name = lines.slice(at, colon).toLowerCase();
    const value = lines.slice(colon + 1, end).trim();
    // Many clients send this, although HTTP/1.1 means it anyway.
    const isKeepAlive = name === 'connection' && value.toLowerCase() === 'keep-alive';
    if ((NOT_PLAIN.has(name) && !isKeepAlive) || fields[name] !== undefined) return undefined;
    fields[name] = value;
    at = end + 2;
  }
  return fields;
}

let lastHost: string | undefined;

/** Whether the field holds a host. The last one is remembered, since most requests name the same. */
function holdsHost(host: string | undefined): boolean {
  if (host === undefined) return false;
  if (host !== lastHost && !isHost(host)) return false;
  lastHost = host;
  return true;
}

/** The head of the plain request that all these bytes together are; undefined if they are anything else. */
export function readHead(bytes: Buffer): PlainHead | undefined {
  if (bytes.length > MOST_BYTES) return undefined;
  const [, target, lines] = PLAIN.exec(bytes.toString('latin1')) ?? [];
  if (target === undefined || lines === undefined) return undefined;
  const fields = fieldsOf(lines);
  return fields !== undefined && holdsHost(fields.host) ? { target, fields } : undefined;
}

/** A plain request. Its head is as Node would give it. */
export class PlainRequest implements HttpRequest, RequestHead {
  readonly id: string;
  readonly began = performance.now();
  readonly originalUrl: string;
  readonly method = 'GET';
  readonly httpVersion = '1.1';
  readonly headers: IncomingHttpHeaders;
  readonly socket: Socket;
  readonly body = undefined;

  constructor(id: string, { target, fields }: PlainHead, socket: Socket) {
    this.id = id;
    this.originalUrl = target;
    this.headers = fields;
    this.socket = socket;
  }

  get raw(): RequestHead {
    return this;
  }

  get headersDistinct(): NodeJS.Dict<string[]> {
    return Object.fromEntries(Object.entries(this.headers).map(([name, value]) => [name, [value as string]]));
  }
}

let second = 0;
let date = '';

/** The field `Date` of this second (RFC 9110 section 6.6.1). */
function dateField(): string {
  const now = Math.floor(Date.now() / 1_000);
  if (now !== second) {
    second = now;
    date = `Date: ${new Date(now * 1_000).toUTCString()}\r\n`;
  }
  return date;
}

/** The head of an answer, as Node writes it. `keepAlive` is the seconds for another request, undefined for the last answer. */
export function responseHead({ status, headers }: HttpResponse, keepAlive: number | undefined): string {
  let head = `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n`;
  for (let at = 0; at < headers.length; at += 2) {
    head += `${headers[at]}: ${headers[at + 1]}\r\n`;
  }
  const connection =
    keepAlive === undefined
      ? 'Connection: close'
      : `Connection: keep-alive\r\nKeep-Alive: timeout=${keepAlive}`;
  return `${head}${dateField()}${connection}\r\n\r\n`;
}
