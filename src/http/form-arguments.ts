import { type Refusal, refuse } from '../domain/refusal.ts';
import { textOf } from './body.ts';
import type { HttpRequest } from './http-request.ts';
import { type Arguments, addArgument, parseArguments } from './target.ts';

type ReadForm = Arguments | Refusal<'form_unreadable' | 'escape_broken'>;

const URLENCODED = /^application\/x-www-form-urlencoded\s*(;|$)/i;
const MULTIPART = /^multipart\/form-data\s*;/i;
/** How JSON begins, which many libraries send under the type of a form. No form that a program writes begins so. */
const JSON_BEGINS = /^(\xef\xbb\xbf)?\s*[{[]/;

const unreadable = (detail: string) => refuse('form_unreadable', { detail });

function urlencoded(body: Buffer, type: string): ReadForm {
  try {
    return parseArguments(textOf(body, type));
  } catch (fault) {
    return fault instanceof URIError ? refuse('escape_broken') : unreadable('it is not UTF-8');
  }
}

/** The texts of a form in parts; files are passed over. */
async function inParts(body: Buffer, type: string): Promise<ReadForm> {
  const form = await new Response(body, { headers: { 'content-type': type } })
    .formData()
    .catch(() => undefined);
  if (form === undefined) return unreadable('its parts cannot be told apart');
  const found = new Map<string, string[]>();
  for (const [name, value] of form) if (typeof value === 'string') addArgument(found, name, value);
  return found;
}

/**
 * The arguments in the body of a POST or a GET that is a form; undefined where the body is none. The type alone does not
 * make it one: a body that is JSON stays JSON.
 */
export function formArguments({ raw, body }: HttpRequest): undefined | ReadForm | Promise<ReadForm> {
  if (!Buffer.isBuffer(body) || body.length === 0) return undefined;
  if (raw.method !== 'POST' && raw.method !== 'GET') return undefined;
  const type = raw.headersDistinct['content-type']?.[0] ?? '';
  const isUrlencoded = URLENCODED.test(type);
  if (!isUrlencoded && !MULTIPART.test(type)) return undefined;
  if (JSON_BEGINS.test(body.toString('latin1', 0, 100))) return undefined;
  return isUrlencoded ? urlencoded(body, type) : inParts(body, type);
}

/** The arguments of a URL with those of a form behind them, as if they stood in it. */
export function withForm(query: Arguments, form: Arguments | undefined): Arguments {
  if (form === undefined) return query;
  const all = new Map([...query].map(([name, values]) => [name, [...values]]));
  for (const [name, values] of form) for (const value of values) addArgument(all, name, value);
  return all;
}

/**
 * The members of a JSON body by the arguments of a form that stand for them; undefined where the form holds none of these.
 * What the URL says of them counts too: it must not say otherwise.
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
