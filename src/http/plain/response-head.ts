import { STATUS_CODES } from 'node:http';
import type { Response } from '../arrival.ts';

/** What Node refuses in the value of a field, too: with it, a value could end its line. */
const UNWRITABLE = /[^\t -~\x80-\xff]/;

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

/**
 * The head of an answer as Node writes it, with the seconds that its connection is kept for another request. Throws where
 * the value of a field cannot be written.
 */
export function responseHead({ status, headers, isLast }: Response, keepAlive: number): string {
  let head = `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n`;
  for (let at = 0; at < headers.length; at += 2) {
    const value = headers[at + 1] as string;
    if (UNWRITABLE.test(value))
      throw new TypeError(`the header ${headers[at]} has a character that no header may have`);
    head += `${headers[at]}: ${value}\r\n`;
  }
  const kept = isLast ? 'Connection: close' : `Connection: keep-alive\r\nKeep-Alive: timeout=${keepAlive}`;
  return `${head}${dateField()}${kept}\r\n\r\n`;
}
