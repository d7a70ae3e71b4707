import type { IncomingHttpHeaders } from 'node:http';
import type { Socket } from 'node:net';
import type { RequestHead } from '../arrival.ts';

/** Bytes of a request that is looked at: a ticket, a host and what a browser says of itself take some hundred. */
const MOST_BYTES = 4_096;

/**
 * A whole GET of HTTP/1.1, with nothing behind it: a target in origin form, and fields of one line each in printable ASCII
 * (RFC 9112 section 3 and 5). Narrower than the grammar, so that whoever stands in front reads it in the same way.
 */
const PLAIN = /^GET (\/[!"$-~]*) HTTP\/1\.1\r\n((?:[A-Za-z0-9-]+:[ -~]*\r\n)*)\r\n$/;

/** Fields that say where a request ends, or what becomes of its connection. */
const NOT_PLAIN: ReadonlySet<string> = new Set([
  'connection',
  'content-length',
  'expect',
  'proxy-connection',
  'transfer-encoding',
  'upgrade',
]);

/** The fields of a head by their names in lower case; nothing where one is not plain, or is given twice. */
function fieldsOf(lines: string): Record<string, string> | undefined {
  const fields: Record<string, string> = {};
  for (let at = 0; at < lines.length; ) {
    const colon = lines.indexOf(':', at);
    const end = lines.indexOf('\r\n', colon);
    const name = lines.slice(at, colon).toLowerCase();
    const value = lines.slice(colon + 1, end).trim();
    // Most clients say what HTTP/1.1 does anyway.
    const isUsual = name === 'connection' && value.toLowerCase() === 'keep-alive';
    if ((NOT_PLAIN.has(name) && !isUsual) || fields[name] !== undefined) return undefined;
    fields[name] = value;
    at = end + 2;
  }
  return fields;
}

/** The head of a plain request: what Node tells of the same one. */
export class PlainHead implements RequestHead {
  readonly method = 'GET';
  readonly httpVersion = '1.1';
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly socket: Socket;

  constructor(url: string, headers: IncomingHttpHeaders, socket: Socket) {
    this.url = url;
    this.headers = headers;
    this.socket = socket;
  }

  get headersDistinct(): NodeJS.Dict<string[]> {
    return Object.fromEntries(Object.entries(this.headers).map(([name, value]) => [name, [value as string]]));
  }
}

/** The plain request that these bytes are, the whole of them; nothing where they are anything else. */
export function readPlain(bytes: Buffer, socket: Socket): PlainHead | undefined {
  if (bytes.length > MOST_BYTES) return undefined;
  const [, url, lines] = PLAIN.exec(bytes.toString('latin1')) ?? [];
  if (url === undefined || lines === undefined) return undefined;
  const fields = fieldsOf(lines);
  return fields && new PlainHead(url, fields, socket);
}
