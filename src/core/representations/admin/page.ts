import type { TSchema } from 'typebox';
import { type CursorPage, cursorPage, cursorsOf } from '../../domain/cursor.ts';
import { isRefusal } from '../../domain/refusal.ts';
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

/** Answers with pages of a list that has unique names. They are ASCII, where code units have the order of code points. */
export function pagesByName(list: string) {
  const cursors = cursorsOf(list, 'string');
  return <T extends { readonly name: string }>(
    all: readonly T[],
    query: { readonly limit?: string; readonly cursor?: string },
  ) => {
    const after = cursors.read(query.cursor);
    if (isRefusal(after)) return after;
    const [last = ''] = after ?? [];
    const rows = all.filter(({ name }) => name > last);
    return { value: cursorPage(rows, limitIn(query), cursors, ({ name }) => [name] as const) };
  };
}

/** Lists are counted up to this number, so that a count costs the same however many there are. */
export const MOST_COUNTED = 10_000;

/** How many items all pages of a list have together, at least. */
export interface Total {
  readonly count: number;
  readonly isExact: boolean;
}

/** The argument of a list that can be counted. */
export const totalArgument = {
  total: Type.Optional(
    Type.String({ pattern: '^(true|false)?$', description: 'true: with the number of items; or false' }),
  ),
};

/** The total of a list of which {@link MOST_COUNTED} and one were counted; undefined if it was not counted. */
export const totalOf = (counted: number | undefined): Total | undefined =>
  counted === undefined
    ? undefined
    : { count: Math.min(counted, MOST_COUNTED), isExact: counted <= MOST_COUNTED };

const totalShown = Type.Optional(
  Type.Object(
    {
      count: Type.Integer(),
      isExact: Type.Boolean({
        description: `Whether there are not more. Items are counted up to ${MOST_COUNTED}.`,
      }),
    },
    { description: 'How many items all pages have, if the call asked for it and the count is cheap.' },
  ),
);

/** A page of a list, with the number of items on all of its pages if the call asked for it. */
export type CountedPage<T> = CursorPage<T> & { readonly total: Total | undefined };

/** A page as {@link pageShown} has it, with a total. */
export function countedPageShown<T, S extends TSchema>(schema: S, show: (item: T) => object) {
  const page = pageShown(schema, show);
  return {
    schema: Type.Object({ ...page.schema.properties, total: totalShown }),
    json: (counted: CountedPage<T>) => ({
      ...page.json(counted),
      ...(counted.total && { total: counted.total }),
    }),
  } satisfies Representation<CountedPage<T>>;
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
