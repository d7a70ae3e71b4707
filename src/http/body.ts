import { isUtf8 } from 'node:buffer';
import { bodyUnreadable, type Refusal } from '../domain/refusal.ts';
import { MemberTwice, strictJson } from '../strict-json.ts';

const utf8 = new TextDecoder('utf-8', { fatal: true });

/** How clients in Java say it whose library sends text so where they name no charset. */
const SAYS_LATIN = /;\s*charset="?(iso-8859-1|latin1)"?\s*(;|$)/i;

/** The text of a body: UTF-8 or, where it is not valid UTF-8 and is said to be so, ISO-8859-1. */
export function textOf(body: Buffer, type: string | undefined): string {
  return !isUtf8(body) && SAYS_LATIN.test(type ?? '') ? body.toString('latin1') : utf8.decode(body);
}

/** How a form begins, urlencoded or in parts, and JSON never: what libraries send that are not told to send JSON. */
const FORM = /^(--|[\w.%+-]+=)/;

/** Why a body cannot be read, without repeating any of it: it may hold a password. */
function whyUnreadable(fault: unknown, body: Buffer): string {
  if (fault instanceof RangeError) return 'it is nested too deeply';
  if (fault instanceof TypeError) return 'it is not UTF-8: send it so, and not compressed';
  if (fault instanceof MemberTwice) return 'a member is given twice with different values';
  if (FORM.test(body.toString('latin1', 0, 100))) return 'it is a form: send a JSON object';
  const message = fault instanceof Error ? fault.message : '';
  const position = /position (\d+)/.exec(message)?.[1];
  return position === undefined ? 'it is not JSON' : `it is not JSON (at character ${position})`;
}

/**
 * The JSON in a body that came as this media type, read strictly: two readings of one body are an attacker's tool.
 */
export function readJson(
  body: unknown,
  type?: string,
): { readonly json: unknown } | Refusal<'body_unreadable'> {
  if (!Buffer.isBuffer(body) || body.length === 0) return bodyUnreadable('it is empty');
  try {
    return { json: strictJson(textOf(body, type)) };
  } catch (fault) {
    return bodyUnreadable(whyUnreadable(fault, body));
  }
}
