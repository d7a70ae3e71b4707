import { isRefusal, type Refusal, refuse } from '../domain/refusal.ts';
import type { AnyOperation } from '../operation.ts';
import { type Format, formatsOf } from '../representations/representation.ts';
import type { HttpRequest, RequestHead } from './http-request.ts';
import type { RefusedAt } from './reply.ts';
import { withForm } from './request-body.ts';
import type { FindAny, FindRoute, Match } from './routes.ts';
import { type Arguments, parseTarget, pathOf, type RequestTarget } from './target.ts';

/** The target of a request, with the arguments of a form as if they were in it. */
interface ReadTarget {
  readonly target: RequestTarget;
  /** The arguments of the body, if that is a form. */
  readonly form?: Arguments | undefined;
  /** The arguments of the URL. */
  readonly inUrl: Arguments;
}

/** The operation that a request is for, with the arguments that it reads. */
export interface ResolvedRequest extends ReadTarget {
  readonly match: Match;
  readonly operation: AnyOperation;
  readonly format: Format;
  /** The arguments that mean something to the operation. */
  readonly query: Readonly<Record<string, string>>;
}

/** Why no operation was found for a request, with what was known by then. */
export interface Unresolved extends RefusedAt {
  readonly refusal: Refusal;
  /** The methods that the path takes, if the method of the request is none of them. */
  readonly allow?: string;
}

/** A request that asks which methods a path takes. */
interface MethodsAsked {
  readonly methods: string;
}

export type Resolution = ResolvedRequest | Unresolved | MethodsAsked;

/** How operations are found. */
interface Finders {
  readonly find: FindRoute;
  readonly findAny: FindAny;
}

/** The longest URL that is read, in characters. */
const LONGEST_URL = 12_288;

/** Finds the operation of a request, by its head and by the form that its body may be. */
export function resolveRequest(
  { originalUrl: url, raw }: Pick<HttpRequest, 'originalUrl' | 'raw'>,
  form: Arguments | Refusal | undefined,
  { find, findAny }: Finders,
): Resolution {
  if (url.length > LONGEST_URL) return unread(refuse('url_too_long'), url, raw, find);
  const any = findAny(url);
  if (any !== undefined) return forAnyRequest(any);
  const target = parseTarget(url);
  if (isRefusal(target)) return unread(target, url, raw, find);
  const match = find(target.segments);
  if (match === undefined) return { refusal: pathUnknown(target, find) };
  if (isRefusal(form)) return unread(form, url, raw, find);
  const read = readsForms(match) ? form : undefined;
  const query = withForm(target.query, read);
  const [named, ...others] = raw.method === 'POST' ? (query.get('alf_method') ?? []) : [];
  if (others.length > 0) return unread(refuse('argument_repeated', { detail: 'alf_method' }), url, raw, find);
  const method = methodOf(raw, named);
  if (method === 'OPTIONS') return { methods: allowedMethods(match.operations) };
  const operation = operationFor(match.operations, method);
  if (operation === undefined) return methodWrong(match);
  const whole = read === undefined ? target : { ...target, query };
  return withFormat(operation, match, { target: whole, form: read, inUrl: target.query });
}

/** Whether the arguments of a form count at this path. Operations that read their own form find nothing else in it. */
const readsForms = ({ operations }: Match) =>
  [...operations.values()].every(({ bodyStyle }) => bodyStyle !== 'form');

/** The refusal of a path that leads nowhere. Base URLs of clients often end in a slash of their own. */
function pathUnknown({ segments }: RequestTarget, find: FindRoute): Refusal<'path_unknown'> {
  const named = segments.filter((segment) => segment !== '');
  const isFound = named.length < segments.length && find(named) !== undefined;
  return refuse('path_unknown', isFound ? { detail: 'it has a slash too many' } : {});
}

/** The target of a request that stands for one to another service: its path and query mean something to that service only. */
const NOTHING_READ: RequestTarget = { segments: [], query: new Map() };

function forAnyRequest(match: Match): ResolvedRequest {
  const [operation] = match.operations.values() as Iterable<AnyOperation> as [AnyOperation];
  return {
    target: NOTHING_READ,
    match,
    operation,
    format: operation.defaultFormat,
    query: {},
    inUrl: NOTHING_READ.query,
  };
}

/** A request whose query is not read. Its path is: the refusal names the operation, and has the format of the path. */
function unread(refusal: Refusal, url: string, raw: RequestHead, find: FindRoute): Unresolved {
  const path = pathOf(url);
  const match = isRefusal(path) ? undefined : find(path);
  const operation = match && operationFor(match.operations, methodOf(raw, undefined));
  if (operation === undefined) return { refusal };
  const format = chooseFormat(operation, match?.extension, undefined);
  return { refusal, operation, format: isRefusal(format) ? operation.defaultFormat : format };
}

/** The method that a request stands for: POST may carry another in `X-HTTP-Method-Override` or `alf_method`, GET never. */
function methodOf({ method = 'GET', headers }: RequestHead, alfMethod: string | undefined): string {
  if (method !== 'POST') return method;
  const header = headers['x-http-method-override'];
  return (typeof header === 'string' && header !== '' ? header : alfMethod || method).toUpperCase();
}

/** The operation that takes this method. HEAD is answered as GET if that GET changes nothing. */
export function operationFor(
  operations: ReadonlyMap<string, AnyOperation>,
  method: string,
): AnyOperation | undefined {
  if (method !== 'HEAD') return operations.get(method);
  const get = operations.get('GET');
  return get?.access === 'write' ? undefined : get;
}

/** The methods that a path takes, as `Allow` lists them. */
function allowedMethods(operations: ReadonlyMap<string, AnyOperation>): string {
  const methods = [...operations.keys()].sort();
  if (operationFor(operations, 'HEAD') !== undefined) methods.push('HEAD');
  return [...methods, 'OPTIONS'].join(', ');
}

function methodWrong({ operations }: Match): Unresolved {
  const allow = allowedMethods(operations);
  return { refusal: refuse('method_wrong', { detail: `it takes ${allow}` }), allow };
}

function withFormat(operation: AnyOperation, match: Match, read: ReadTarget): ResolvedRequest | Unresolved {
  const { target, form, inUrl } = read;
  const asked = formatAskedFor(target);
  if (isRefusal(asked)) return { refusal: asked, operation, format: operation.defaultFormat };
  const format = chooseFormat(operation, match.extension, asked);
  if (isRefusal(format)) return { refusal: format, operation, format: operation.defaultFormat };
  const query = singleArguments(operation, target);
  if (isRefusal(query)) return { refusal: query, operation, format };
  return { target, form, inUrl, match, operation, format, query };
}

/** The value of the argument `format`. An empty value counts as not given, also beside another. */
function formatAskedFor({ query }: RequestTarget): string | undefined | Refusal<'argument_repeated'> {
  const values = query.get('format');
  if (values === undefined || values.length === 1) return values?.[0];
  const [format, ...others] = values.filter((value) => value !== '');
  return others.length > 0 ? refuse('argument_repeated', { detail: 'format' }) : format;
}

/**
 * The format of an answer (`wire.md` section 2): the extension or the argument `format`, otherwise the operation's
 * default. `Accept` does not count: real clients send misleading ones.
 */
function chooseFormat(
  operation: AnyOperation,
  extension: string | undefined,
  argument: string | undefined,
): Format | Refusal<'format_unknown' | 'formats_differ'> {
  const asked = extension || argument;
  if (!asked) return operation.defaultFormat;
  if (extension && argument && extension !== argument) return refuse('formats_differ');
  const offered = formatsOf(operation.output);
  const format = offered.find((candidate) => candidate === asked);
  return format ?? refuse('format_unknown', { detail: `ask for ${offered.join(' or ')}` });
}

/** The values of the arguments that mean something to the operation. Refused if one is given twice with different values. */
function singleArguments(
  { input }: AnyOperation,
  { query }: RequestTarget,
): Record<string, string> | Refusal<'argument_repeated'> {
  const single: Record<string, string> = {};
  for (const name in input.query?.properties ?? {}) {
    const values = query.get(name);
    if (values === undefined) continue;
    if (values.length > 1) return refuse('argument_repeated', { detail: name });
    single[name] = values[0] as string;
  }
  return single;
}
