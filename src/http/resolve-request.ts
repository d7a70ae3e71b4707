import { isRefusal, type Refusal, refuse } from '../domain/refusal.ts';
import type { AnyOperation } from '../operation.ts';
import type { Format } from '../representations/representation.ts';
import type { RefusedAt } from './answer.ts';
import type { FindAny } from './any-request.ts';
import { withForm } from './form-arguments.ts';
import { chooseFormat } from './format.ts';
import type { HttpRequest, RequestHead } from './http-request.ts';
import { allowedMethods, methodOf, operationFor } from './method.ts';
import type { FindRoute, Match } from './routes.ts';
import { type Arguments, parseTarget, pathOf, type RequestTarget } from './target.ts';

/** What a request says of itself: its target, with the arguments of a form as if they stood there. */
interface ReadTarget {
  readonly target: RequestTarget;
  /** The form that the body is; undefined where it is none. */
  readonly form?: Arguments | undefined;
  /** The arguments that stand in the URL. */
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
  /** The methods that the path takes, where it does not take that of the request. */
  readonly allow?: string;
}

/** How operations are found. */
export interface Finders {
  readonly find: FindRoute;
  readonly findAny: FindAny;
}

/** A request that asks which methods a path takes. */
export interface MethodsAsked {
  readonly methods: string;
}

/** What is read of a target that means something to another service only. */
const NOTHING_READ: RequestTarget = { segments: [], query: new Map() };

/** The longest URL that is read, in characters. */
const LONGEST_URL = 12_288;

/** The format that is asked for; an empty one counts as not given, also beside another. */
function formatAskedFor({ query }: RequestTarget): string | undefined | Refusal<'argument_repeated'> {
  const values = query.get('format');
  if (values === undefined || values.length === 1) return values?.[0];
  const [format, ...others] = values.filter((value) => value !== '');
  return others.length > 0 ? refuse('argument_repeated', { detail: 'format' }) : format;
}

/** The value of each argument that means something to the operation and is given, none of which may be given twice with different values. */
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

/** Finds the operation of a request, by its head and by the form that its body may be. */
export function resolveRequest(
  { originalUrl: url, raw }: Pick<HttpRequest, 'originalUrl' | 'raw'>,
  form: Arguments | Refusal | undefined,
  { find, findAny }: Finders,
): ResolvedRequest | Unresolved | MethodsAsked {
  if (url.length > LONGEST_URL) return unread(refuse('url_too_long'), url, raw, find);
  const any = findAny(url);
  if (any !== undefined) return standingFor(any);
  const target = parseTarget(url);
  if (isRefusal(target)) return unread(target, url, raw, find);
  const match = find(target.segments);
  if (match === undefined) return { refusal: unknown(target, find) };
  if (isRefusal(form)) return unread(form, url, raw, find);
  const read = readsForms(match) ? form : undefined;
  const query = withForm(target.query, read);
  const [named, ...others] = raw.method === 'POST' ? (query.get('alf_method') ?? []) : [];
  if (others.length > 0) return unread(refuse('argument_repeated', { detail: 'alf_method' }), url, raw, find);
  const method = methodOf(raw, named);
  if (method === 'OPTIONS') return { methods: allowedMethods(match.operations) };
  const operation = operationFor(match.operations, method);
  if (operation === undefined) return wrongMethod(match);
  const whole = read === undefined ? target : { ...target, query };
  return withFormat(operation, match, { target: whole, form: read, inUrl: target.query });
}

/** Whether a form is read for its arguments there: where the operations read their own form, it holds nothing else. */
const readsForms = ({ operations }: Match) =>
  [...operations.values()].every(({ bodyStyle }) => bodyStyle !== 'form');

/** The refusal of a path that leads nowhere; bases of clients often end in a slash of their own. */
function unknown({ segments }: RequestTarget, find: FindRoute): Refusal<'path_unknown'> {
  const named = segments.filter((segment) => segment !== '');
  const isFound = named.length < segments.length && find(named) !== undefined;
  return refuse('path_unknown', isFound ? { detail: 'it has a slash too many' } : {});
}

function standingFor(match: Match): ResolvedRequest {
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

/** A request whose query is not read: where its path leads, and the format that stands there, are told all the same. */
function unread(refusal: Refusal, url: string, raw: RequestHead, find: FindRoute): Unresolved {
  const path = pathOf(url);
  const match = isRefusal(path) ? undefined : find(path);
  const operation = match && operationFor(match.operations, methodOf(raw, undefined));
  if (operation === undefined) return { refusal };
  const format = chooseFormat(operation, match?.extension, undefined);
  return { refusal, operation, format: isRefusal(format) ? operation.defaultFormat : format };
}

function wrongMethod({ operations }: Match): Unresolved {
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
