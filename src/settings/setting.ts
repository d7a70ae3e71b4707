import type { Parser } from './parsers.ts';

/** A value that is sent to a worker process unchanged. An object of a class, such as a URL, would lose its methods. */
export type Plain = string | number | boolean | readonly Plain[] | { readonly [name: string]: Plain };

/** One thing that can be set. Its flag and its variable follow from its key in the table. */
export interface Setting<T> {
  readonly parse: Parser<T>;
  /** As it would be written; absent where there is none. */
  readonly default?: string;
  readonly help: string;
  /** Never shown. Can be given as a file that holds it, and by a flag as that alone. */
  readonly secret?: true;
  /**
   * Kept as it was given, and read where it is used. `unread`: not before that, since its file may be gone once it is not
   * needed. `reread`: each time, and at the start too, so that its faults show then.
   */
  readonly asGiven?: 'unread' | 'reread';
}

/** A setting with a default, as it would be written. */
export function setting<T>(
  parse: Parser<T>,
  fallback: string,
  help: string,
): Setting<T> & { readonly default: string } {
  return { parse, default: fallback, help };
}

/** A setting that is never shown. */
export function secret<T>(parse: Parser<T>, help: string): Setting<T> & { readonly secret: true } {
  return { parse, help, secret: true };
}
