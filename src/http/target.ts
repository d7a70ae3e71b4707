import { type Refusal, refuse } from '../domain/refusal.ts';

/** A request target, parsed. */
export interface RequestTarget {
  /** The path, split at `/` and then percent-decoded, so that `a%2Fb` is one segment. */
  readonly segments: readonly string[];
  readonly query: Arguments;
}

/** Arguments by name, each with its first {@link MOST_VALUES} different values in the order given. A plus is a space. */
export type Arguments = ReadonlyMap<string, readonly string[]>;

/** Different values of one argument that are kept. No client needs more, and each new value is compared with all that are kept. */
export const MOST_VALUES = 8;

const BROKEN = refuse('escape_broken');

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

const NO_QUERY = new Map<string, string[]>();

/** A target in origin form. From the absolute form, which clients send to a proxy, it cuts off scheme and host (RFC 9112 section 3.2). */
export function originForm(url: string): string {
  return url.startsWith('/') ? url : url.replace(/^https?:\/\/[^/?]*/i, '');
}

/** The segments of a target; its query is not read. */
export function pathOf(url: string): readonly string[] | Refusal<'escape_broken'> {
  try {
    return segmentsOf(originForm(url).split('?', 1)[0] as string);
  } catch {
    return BROKEN;
  }
}

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
