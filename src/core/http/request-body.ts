import { isUtf8 } from 'node:buffer';
import { bodyUnreadable, type Refusal, refuse } from '../domain/refusal.ts';
import { MemberTwice, strictJson } from '../strict-json.ts';
import type { HttpRequest } from './http-request.ts';
import { type Arguments, addArgument, parseArguments } from './resolve-request.ts';

const utf8 = new TextDecoder('utf-8', { fatal: true });

/** How some Java clients name the charset: their library sends ISO-8859-1 when they choose none. */
const SAYS_LATIN = /;\s*charset="?(iso-8859-1|latin1)"?\s*(;|$)/i;

/** The text of a body: UTF-8 or, if it is not valid UTF-8 and its type says so, ISO-8859-1. Throws if it is neither. */
function textOf(body: Buffer, type: string | undefined): string {
  return !isUtf8(body) && SAYS_LATIN.test(type ?? '') ? body.toString('latin1') : utf8.decode(body);
}

/** How a form begins, urlencoded or multipart, and how JSON never does. Many libraries send a form by default. */
const FORM = /^(--|[\w.%+-]+=)/;

/** Why a body cannot be read. It repeats none of the body, which may hold a password. */
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
 * The JSON in a body that came as this media type. It is read strictly: if two programs read one body differently, an
 * attacker can use that.
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

/** A name that may be repeated to the caller. Any other text in its place may be a secret. */
const PLAIN_NAME = /^[a-z_]{1,40}$/;

const unreadable = (detail: string) => refuse('form_unreadable', { detail });

/**
 * The parameters of a body that is a form, each with its text (RFC 6749 appendix B and section 3.2): a parameter without a
 * value counts as left out, and no parameter may be given twice.
 */
export function readForm(
  body: unknown,
): { readonly json: Readonly<Record<string, string>> } | Refusal<'form_unreadable'> {
  if (!Buffer.isBuffer(body)) return { json: {} };
  let text: string;
  try {
    text = utf8.decode(body);
  } catch {
    return unreadable('it is not UTF-8');
  }
  const parameters = new Map<string, string>();
  // URLSearchParams drops one question mark at the beginning of a text, but the first name of a form may begin with one.
  for (const [name, value] of new URLSearchParams(`?${text}`)) {
    if (parameters.has(name)) {
      const which = PLAIN_NAME.test(name) ? `parameter ${name}` : 'a parameter';
      return unreadable(`${which} is given twice`);
    }
    parameters.set(name, value);
  }
  return { json: Object.fromEntries([...parameters].filter(([, value]) => value !== '')) };
}

type FormArguments = Arguments | Refusal<'form_unreadable' | 'escape_broken'>;

const URLENCODED = /^application\/x-www-form-urlencoded\s*(;|$)/i;
const MULTIPART = /^multipart\/form-data\s*;/i;
/** How JSON begins. Many libraries send JSON under the type of a form, and no program writes a form that begins so. */
const JSON_BEGINS = /^(\xef\xbb\xbf)?\s*[{[]/;

function urlencodedArguments(body: Buffer, type: string): FormArguments {
  try {
    return parseArguments(textOf(body, type));
  } catch (fault) {
    return fault instanceof URIError ? refuse('escape_broken') : unreadable('it is not UTF-8');
  }
}

/** The texts of a multipart form. Its files are ignored. */
async function multipartArguments(body: Buffer, type: string): Promise<FormArguments> {
  const form = await new Response(body, { headers: { 'content-type': type } })
    .formData()
    .catch(() => undefined);
  if (form === undefined) return unreadable('its parts cannot be told apart');
  const found = new Map<string, string[]>();
  for (const [name, value] of form) if (typeof value === 'string') addArgument(found, name, value);
  return found;
}

/**
 * The arguments in the body of a POST or a GET, if the body is a form. The type alone does not decide that: a body that is
 * JSON stays JSON.
 */
export function formArguments({
  raw,
  body,
}: HttpRequest): undefined | FormArguments | Promise<FormArguments> {
  if (!Buffer.isBuffer(body) || body.length === 0) return undefined;
  if (raw.method !== 'POST' && raw.method !== 'GET') return undefined;
  const type = raw.headersDistinct['content-type']?.[0] ?? '';
  const isUrlencoded = URLENCODED.test(type);
  if (!isUrlencoded && !MULTIPART.test(type)) return undefined;
  if (JSON_BEGINS.test(body.toString('latin1', 0, 100))) return undefined;
  return isUrlencoded ? urlencodedArguments(body, type) : multipartArguments(body, type);
}

/**
 * The members of a JSON body, read from the form arguments that stand for them (`names` maps members to arguments).
 * Undefined if the form holds none of these arguments. `query` holds the arguments of the form and of the URL, which may
 * not contradict each other.
 */
export function membersInForm(
  names: Readonly<Record<string, string>>,
  form: Arguments | undefined,
  query: Arguments,
): { readonly json: Readonly<Record<string, string>> } | Refusal<'argument_repeated'> | undefined {
  if (form === undefined) return undefined;
  const members = Object.entries(names).filter(([, argument]) => form.has(argument));
  if (members.length === 0) return undefined;
  const json: Record<string, string> = {};
  for (const [member, argument] of members) {
    const [value = '', ...others] = query.get(argument) ?? [];
    if (others.length > 0) return refuse('argument_repeated', { detail: argument });
    json[member] = value;
  }
  return { json };
}
