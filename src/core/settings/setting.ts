import type { Parser } from './parsers.ts';

/** A value that can be sent to a worker process. An instance of a class, such as a URL, would lose its methods. */
export type Plain = string | number | boolean | readonly Plain[] | { readonly [name: string]: Plain };

/** One setting. Its flag and its variable follow from its key in the table. */
export interface Setting<T> {
  readonly parse: Parser<T>;
  /** The default, as an operator would write it. Absent if there is none. */
  readonly default?: string;
  readonly help: string;
  /** Its value is never shown. It can be given in a file, and no flag takes the value itself. */
  readonly secret?: true;
  /**
   * Not parsed at the start, but read where it is used. `unread`: the file is not read before, since it may be removed
   * once it is not needed. `reread`: it is read each time it is used, and at the start, so that faults show then.
   */
  readonly asGiven?: 'unread' | 'reread';
}

/** A setting with a default, as an operator would write it. */
export function setting<T>(
  parse: Parser<T>,
  fallback: string,
  help: string,
): Setting<T> & { readonly default: string } {
  return { parse, default: fallback, help };
}

/** A setting whose value is never shown. */
export function secret<T>(parse: Parser<T>, help: string): Setting<T> & { readonly secret: true } {
  return { parse, help, secret: true };
}
