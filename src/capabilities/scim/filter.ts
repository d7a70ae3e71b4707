import { type Refusal, refuse } from '../../core/domain/refusal.ts';
import { type AttributePath, attributePath } from './attributes.ts';

const OPERATORS = ['eq', 'ne', 'co', 'sw', 'ew', 'gt', 'ge', 'lt', 'le'] as const;

/** How a filter compares a value with its own one. */
export type FilterOperator = (typeof OPERATORS)[number];

/** A filter (RFC 7644 section 3.4.2.2). */
export type ScimFilter =
  | { readonly is: 'and' | 'or'; readonly parts: readonly ScimFilter[] }
  | { readonly is: 'not'; readonly part: ScimFilter }
  | { readonly is: 'present'; readonly path: AttributePath }
  | {
      readonly is: 'compared';
      readonly path: AttributePath;
      readonly operator: FilterOperator;
      readonly value: string | number | boolean | null;
    }
  /** Whether a value of a list passes: `emails[type eq "work"]`. */
  | { readonly is: 'within'; readonly path: AttributePath; readonly part: ScimFilter };

/** The target of a PATCH operation (RFC 7644 section 3.5.2): an attribute, some values of a list, or a part of these. */
export interface PatchTarget {
  readonly path: AttributePath;
  /** Which values of the list, and the sub-attribute of them; the whole values without one. */
  readonly values?: { readonly filter: ScimFilter; readonly part: string | undefined };
}

/** Brackets deeper than this are refused. */
const DEEPEST = 20;

const TOKEN = /\s*(?:([()[\]])|"((?:[^"\\]|\\.)*)"|([^\s()[\]"]+))/y;

type Token =
  | { readonly kind: 'bracket' | 'word'; readonly text: string }
  | { readonly kind: 'text'; readonly text: string };

class FilterFault extends Error {}

function tokensIn(text: string): Token[] {
  const tokens: Token[] = [];
  const trimmed = text.trimEnd();
  TOKEN.lastIndex = 0;
  while (TOKEN.lastIndex < trimmed.length) {
    const at = TOKEN.lastIndex;
    const [, bracket, quoted, word] = TOKEN.exec(trimmed) ?? [];
    if (bracket !== undefined) tokens.push({ kind: 'bracket', text: bracket });
    else if (quoted !== undefined) tokens.push({ kind: 'text', text: unquoted(quoted) });
    else if (word !== undefined) tokens.push({ kind: 'word', text: word });
    else throw new FilterFault(`it cannot be read from character ${at + 1} on`);
  }
  return tokens;
}

/** The text in quotes, whose escapes are those of JSON. */
function unquoted(text: string): string {
  try {
    return JSON.parse(`"${text}"`);
  } catch {
    throw new FilterFault('a text in quotes has a wrong escape');
  }
}

/** Reads the tokens of a filter or a path, one after another. */
class FilterReader {
  readonly #tokens: readonly Token[];
  #at = 0;
  #depth = 0;

  constructor(text: string) {
    this.#tokens = tokensIn(text);
  }

  filter(): ScimFilter {
    const read = this.#parts('or');
    this.#end();
    return read;
  }

  target(): PatchTarget {
    const path = this.#path();
    if (!this.#takes('bracket', '[')) {
      this.#end();
      return { path };
    }
    const filter = this.#bracketed(']');
    const part = this.#subAttribute();
    this.#end();
    return { path, values: { filter, part } };
  }

  #parts(is: 'or' | 'and'): ScimFilter {
    const next = () => (is === 'or' ? this.#parts('and') : this.#one());
    const parts = [next()];
    while (this.#takes('word', is)) parts.push(next());
    return parts.length === 1 ? (parts[0] as ScimFilter) : { is, parts };
  }

  #one(): ScimFilter {
    if (this.#takes('bracket', '(')) return this.#bracketed(')');
    if (this.#takes('word', 'not')) {
      if (!this.#takes('bracket', '(')) throw new FilterFault('behind "not" comes a bracket');
      return { is: 'not', part: this.#bracketed(')') };
    }
    const path = this.#path();
    if (!this.#takes('bracket', '[')) return this.#comparison(path);
    const part = this.#bracketed(']');
    const name = this.#subAttribute();
    if (name === undefined) return { is: 'within', path, part };
    // `emails[type eq "work"].value eq "x"`: a value that passes the filter, and whose part compares so.
    return { is: 'within', path, part: { is: 'and', parts: [part, this.#comparison([name])] } };
  }

  #bracketed(close: ')' | ']'): ScimFilter {
    this.#depth += 1;
    if (this.#depth > DEEPEST) throw new FilterFault(`it has brackets more than ${DEEPEST} deep`);
    const filter = this.#parts('or');
    if (!this.#takes('bracket', close)) throw new FilterFault(`a closing ${close} is missing`);
    this.#depth -= 1;
    return filter;
  }

  #comparison(path: AttributePath): ScimFilter {
    const operator = this.#word('an operator such as eq').toLowerCase();
    if (operator === 'pr') return { is: 'present', path };
    const comparison = OPERATORS.find((each) => each === operator);
    if (comparison === undefined)
      throw new FilterFault(`it takes the operators ${OPERATORS.join(', ')} and pr`);
    return { is: 'compared', path, operator: comparison, value: this.#value() };
  }

  #value(): string | number | boolean | null {
    const token = this.#tokens[this.#at];
    if (token === undefined || token.kind === 'bracket') throw new FilterFault('a value is missing');
    this.#at += 1;
    if (token.kind === 'text') return token.text;
    try {
      const value: unknown = JSON.parse(token.text);
      return value as number | boolean | null;
    } catch {
      // Entra's documentation leaves out the quotes.
      return token.text;
    }
  }

  #path(): AttributePath {
    const path = attributePath(this.#word('the name of an attribute'));
    if (path === undefined) throw new FilterFault('the name of an attribute is missing');
    return path;
  }

  #subAttribute(): string | undefined {
    const token = this.#tokens[this.#at];
    if (token?.kind !== 'word' || !token.text.startsWith('.')) return undefined;
    this.#at += 1;
    const path = attributePath(token.text.slice(1));
    if (path?.length !== 1) throw new FilterFault('behind ].  comes the name of one part');
    return path[0];
  }

  #word(what: string): string {
    const token = this.#tokens[this.#at];
    if (token?.kind !== 'word') throw new FilterFault(`${what} is missing`);
    this.#at += 1;
    return token.text;
  }

  #takes(kind: 'bracket' | 'word', text: string): boolean {
    const token = this.#tokens[this.#at];
    if (token?.kind !== kind || token.text.toLowerCase() !== text) return false;
    this.#at += 1;
    return true;
  }

  #end(): void {
    if (this.#at < this.#tokens.length) throw new FilterFault('it goes on where it should end');
  }
}

function readBy<T, C extends 'filter_invalid' | 'path_invalid'>(read: () => T, code: C): T | Refusal<C> {
  try {
    return read();
  } catch (fault) {
    if (fault instanceof FilterFault) return refuse(code, { detail: fault.message });
    throw fault;
  }
}

/** Reads a filter. A text without quotes counts as one in quotes. */
export function readFilter(text: string): ScimFilter | Refusal<'filter_invalid'> {
  return readBy(() => new FilterReader(text).filter(), 'filter_invalid');
}

/** Reads the path of a PATCH operation. */
export function readTarget(text: string): PatchTarget | Refusal<'path_invalid'> {
  return readBy(() => new FilterReader(text).target(), 'path_invalid');
}

/** Whether the filter asks for an attribute of this name. */
export function mentions(filter: ScimFilter, name: string): boolean {
  switch (filter.is) {
    case 'and':
    case 'or':
      return filter.parts.some((part) => mentions(part, name));
    case 'not':
      return mentions(filter.part, name);
    default:
      return filter.path[0]?.toLowerCase() === name.toLowerCase();
  }
}
