import { isUtf8 } from 'node:buffer';
import { API_KEY_BEGINS } from '../domain/api-key.ts';
import type { Presented } from '../gate/call.ts';
import { MOST_VALUES } from './resolve-request.ts';

const NONE: readonly string[] = [];
const BEYOND_ASCII = /[\x80-\xff]/;

/** Decodes base64 to a text with one character for each byte. Characters that are not base64 are skipped. */
function fromBase64(base64: string): string {
  try {
    // Twice as fast as a Buffer.
    return atob(base64);
  } catch {
    return Buffer.from(base64, 'base64').toString('latin1');
  }
}

/** Decodes the value of Basic: UTF-8 or, if it is not valid UTF-8, ISO-8859-1. */
function decodeBasic(base64: string): string {
  const text = fromBase64(base64);
  if (!BEYOND_ASCII.test(text)) return text;
  const bytes = Buffer.from(text, 'latin1');
  return isUtf8(bytes) ? bytes.toString('utf8') : text;
}

/** Reads `user:password`, `ROLE_TICKET:T` (the name in any case), `:T`, or `T` alone, also followed by a colon. */
function fromBasic(text: string): Presented['header'] {
  const colon = text.indexOf(':');
  if (colon < 0) return { ticket: text };
  const name = text.slice(0, colon);
  const rest = text.slice(colon + 1);
  if (name === '' || name.toLowerCase() === 'role_ticket') return { ticket: rest };
  // No user name begins so, and old versions of the reference took this for a ticket too.
  if (rest === '' && name.startsWith('TICKET_')) return { ticket: name };
  return { name, password: rest };
}

function fromHeader(authorization: string | undefined): Presented['header'] {
  if (authorization === undefined) return undefined;
  const blank = authorization.indexOf(' ');
  const value = authorization.slice(blank + 1).trim();
  if (blank < 0 || value === '' || /\s/.test(value)) return undefined;
  switch (authorization.slice(0, blank).toLowerCase()) {
    case 'basic':
      return fromBasic(decodeBasic(value));
    case 'bearer':
      if (value.startsWith(API_KEY_BEGINS)) return { apiKey: value };
      return value.startsWith('TICKET_') ? { ticket: value } : { accessToken: value };
    default:
      return undefined;
  }
}

/** The credentials that a request presents (specification, section 5; RFC 7617, RFC 6750 for the schemes). */
export function presentedIn(
  alfTicket: readonly string[] | undefined,
  authorization: string | undefined,
): Presented {
  const texts = alfTicket ?? NONE;
  // The URI that a proxy passes on may hold more, and each costs a look-up.
  const most = texts.length > MOST_VALUES ? texts.slice(0, MOST_VALUES) : texts;
  return { arguments: most, header: fromHeader(authorization) };
}

/** The different values of `alf_ticket` in a URI that a proxy passes in a header. */
export function ticketsInUri(uri: string | readonly string[] | undefined): readonly string[] {
  if (typeof uri !== 'string') return [];
  const at = uri.indexOf('?');
  return at < 0 ? [] : [...new Set(new URLSearchParams(uri.slice(at)).getAll('alf_ticket'))];
}
