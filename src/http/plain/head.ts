import { isHost } from '../host.ts';

/** Bytes of a request that is looked at: a ticket, a host and what a browser says of itself take some hundred. */
const MOST_BYTES = 4_096;

/**
 * A whole GET of HTTP/1.1 and nothing behind it: a target in origin form, and fields of one line each in printable ASCII
 * (RFC 9112 sections 3 and 5), among them one `Host`. It is narrower than the grammar: nothing that it takes can be read
 * in two ways.
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

/** The head of a plain request. */
export interface PlainHead {
  readonly target: string;
  /** The values of the fields by their names in lower case, each given once. */
  readonly fields: Readonly<Record<string, string>>;
}

/** The fields in these lines; nothing where one is not plain, or is given twice. */
function fieldsOf(lines: string): Record<string, string> | undefined {
  const fields: Record<string, string> = {};
  for (let at = 0; at < lines.length; ) {
    const colon = lines.indexOf(':', at);
    const end = lines.indexOf('\r\n', colon);
    const name = lines.slice(at, colon).toLowerCase();
    const value = lines.slice(colon + 1, end).trim();
    // Many clients say what HTTP/1.1 does anyway.
    const isUsual = name === 'connection' && value.toLowerCase() === 'keep-alive';
    if ((NOT_PLAIN.has(name) && !isUsual) || fields[name] !== undefined) return undefined;
    fields[name] = value;
    at = end + 2;
  }
  return fields;
}

let lastHost: string | undefined;

/** Whether the field holds a host; most requests name the same one. */
function isUsualHost(host: string | undefined): boolean {
  if (host === undefined) return false;
  if (host !== lastHost && !isHost(host)) return false;
  lastHost = host;
  return true;
}

/** The head of the plain request that these bytes are, the whole of them; nothing where they are anything else. */
export function readHead(bytes: Buffer): PlainHead | undefined {
  if (bytes.length > MOST_BYTES) return undefined;
  const [, target, lines] = PLAIN.exec(bytes.toString('latin1')) ?? [];
  if (target === undefined || lines === undefined) return undefined;
  const fields = fieldsOf(lines);
  return fields !== undefined && isUsualHost(fields.host) ? { target, fields } : undefined;
}
