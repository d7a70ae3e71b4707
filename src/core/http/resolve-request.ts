import { isRefusal, type Refusal, refuse } from '../domain/refusal.ts';
import type { AnyOperation } from '../operation.ts';
import { type Format, formatsOf } from '../representations/representation.ts';
import type { HttpRequest, RequestHead } from './http-request.ts';
import { type FindAny, type FindRoute, type Match, originForm } from './routes.ts';

/** A request target, parsed. */
interface RequestTarget {
  /** The path, split at `/` and then percent-decoded, so that `a%2Fb` is one segment. */
  readonly segments: readonly string[];
  readonly query: Arguments;
}

/** Arguments by name, each with its first {@link MOST_VALUES} different values in the order given. A plus is a space. */
export type Arguments = ReadonlyMap<string, readonly string[]>;

/** Different values of one argument that are kept. No client needs more, and each new value is compared with all that are kept. */
export const MOST_VALUES = 8;

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

/** What was found out about a request before it was refused. */
export interface RefusedAt {
  readonly operation?: AnyOperation;
  /** Without one, `Accept` decides between html and json. */
  readonly format?: Format;
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
  // The target `*` (RFC 9112 section 3.2.4) is no path, and not the root either.
  const match = url === '*' ? undefined : find(target.segments);
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

/** The arguments of a URL followed by those of a form, as if all of them were in the URL. */
function withForm(query: Arguments, form: Arguments | undefined): Arguments {
  if (form === undefined) return query;
  const all = new Map([...query].map(([name, values]) => [name, [...values]]));
  for (const [name, values] of form) for (const value of values) addArgument(all, name, value);
  return all;
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
  const name = formatAskedFor(target);
  if (isRefusal(name)) return { refusal: name, operation, format: operation.defaultFormat };
  const format = chooseFormat(operation, match.extension, name);
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
 * The format of an answer (specification, section 2): the extension or the argument `format`, otherwise the operation's
 * default. `Accept` does not count: real clients send misleading ones.
 */
function chooseFormat(
  operation: AnyOperation,
  extension: string | undefined,
  argument: string | undefined,
): Format | Refusal<'format_unknown' | 'formats_differ'> {
  const name = extension || argument;
  if (!name) return operation.defaultFormat;
  if (extension && argument && extension !== argument) return refuse('formats_differ');
  const offered = formatsOf(operation.output);
  const format = offered.find((candidate) => candidate === name);
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

const BROKEN = refuse('escape_broken');
const NO_QUERY = new Map<string, string[]>();

/** Parses a request target. */
export function parseTarget(url: string): RequestTarget | Refusal<'escape_broken'> {
  const origin = originForm(url);
  const at = origin.indexOf('?');
  const path = at < 0 ? origin : origin.slice(0, at);
  try {
    return { segments: segmentsOf(path), query: at < 0 ? NO_QUERY : parseArguments(origin.slice(at + 1)) };
  } catch {
    return BROKEN;
  }
}

/** The segments of a target; its query is not read. */
export function pathOf(url: string): readonly string[] | Refusal<'escape_broken'> {
  try {
    return segmentsOf(originForm(url).split('?', 1)[0] as string);
  } catch {
    return BROKEN;
  }
}

/** Adds a value of an argument, unless it is there already or there are {@link MOST_VALUES}. */
export function addArgument(found: Map<string, string[]>, name: string, value: string): void {
  const values = found.get(name);
  if (values === undefined) found.set(name, [value]);
  else if (values.length < MOST_VALUES && !values.includes(value)) values.push(value);
}

/** The arguments in the text of a query or a form. Throws `URIError` for a broken escape. */
export function parseArguments(text: string): Arguments {
  const found = new Map<string, string[]>();
  for (const part of text.split('&')) {
    if (part === '') continue;
    const at = part.indexOf('=');
    const name = decodeArgument(at < 0 ? part : part.slice(0, at));
    addArgument(found, name, at < 0 ? '' : decodeArgument(part.slice(at + 1)));
  }
  return found;
}

function decodeArgument(text: string): string {
  const spaced = text.includes('+') ? text.replaceAll('+', ' ') : text;
  return spaced.includes('%') ? decodeURIComponent(spaced) : spaced;
}

/** The texts between the slashes of a path, each decoded on its own. */
function segmentsOf(path: string): string[] {
  const segments: string[] = [];
  for (let slash = path.indexOf('/'); slash >= 0; ) {
    const next = path.indexOf('/', slash + 1);
    const text = next < 0 ? path.slice(slash + 1) : path.slice(slash + 1, next);
    segments.push(text.includes('%') ? decodeURIComponent(text) : text);
    slash = next;
  }
  return segments;
}
