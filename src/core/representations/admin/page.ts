import type { TSchema } from 'typebox';
import type { CursorPage } from '../../domain/cursor.ts';
import { Type } from '../../schema.ts';
import type { Representation } from '../representation.ts';

/** Items on a page if the caller does not say how many, and at most. */
const USUAL = 100;
const MOST = 1_000;

/** The arguments of every list in administration: members of its query. An empty one counts as left out. */
export const pageArguments = {
  limit: Type.Optional(
    Type.String({
      pattern: '^([1-9]\\d{0,2}|1000)?$',
      description: `how many items a page has at most, a whole number from 1 to ${MOST}; ${USUAL} when left out`,
    }),
  ),
  cursor: Type.Optional(
    Type.String({ description: 'the "next" of the page before; left out for the first page' }),
  ),
};

/** The number of items that a checked `limit` asks for. */
export function limitIn({ limit }: { readonly limit?: string }): number {
  return limit ? Number(limit) : USUAL;
}

/** A page of a list whose items are shown so. `next` is the cursor of the next page; the last page has none. */
export function pageShown<T, S extends TSchema>(schema: S, show: (item: T) => object) {
  return {
    schema: Type.Object({
      items: Type.Array(schema),
      next: Type.Optional(Type.String({ description: 'Send it as `cursor` to get the next page.' })),
    }),
    json: ({ items, next }: CursorPage<T>) => ({
      items: items.map(show),
      ...(next === undefined ? {} : { next }),
    }),
  } satisfies Representation<CursorPage<T>>;
}
