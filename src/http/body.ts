import { parse } from 'lossless-json';
import { bodyUnreadable, type Refusal } from '../domain/refusal.ts';

const utf8 = new TextDecoder('utf-8', { fatal: true });

/** Why a body cannot be read, without repeating any of it: it may hold a password. */
function whyUnreadable(fault: unknown): string {
  if (fault instanceof RangeError) return 'it is nested too deeply';
  if (fault instanceof TypeError) return 'it is not UTF-8';
  const message = fault instanceof Error ? fault.message : '';
  if (message.startsWith('Duplicate key')) return 'a member is given twice with different values';
  const position = /position (\d+)/.exec(message)?.[1];
  return position === undefined ? 'it is not JSON' : `it is not JSON (at character ${position})`;
}

/** The JSON in a body, read strictly: two readings of one body are an attacker's tool. */
export function readJson(body: unknown): { readonly json: unknown } | Refusal<'body_unreadable'> {
  if (!Buffer.isBuffer(body) || body.length === 0) return bodyUnreadable('it is empty');
  try {
    return { json: parse(utf8.decode(body), undefined, Number) };
  } catch (fault) {
    return bodyUnreadable(whyUnreadable(fault));
  }
}
