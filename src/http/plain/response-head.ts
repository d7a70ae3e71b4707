import { STATUS_CODES } from 'node:http';
import type { HttpResponse } from '../http-request.ts';

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

/** The head of an answer as Node writes it; `keepAlive` are the seconds for another request, nothing behind the last. */
export function responseHead({ status, headers }: HttpResponse, keepAlive: number | undefined): string {
  let head = `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n`;
  for (let at = 0; at < headers.length; at += 2) {
    head += `${headers[at]}: ${headers[at + 1]}\r\n`;
  }
  const kept =
    keepAlive === undefined
      ? 'Connection: close'
      : `Connection: keep-alive\r\nKeep-Alive: timeout=${keepAlive}`;
  return `${head}${dateField()}${kept}\r\n\r\n`;
}
