import type { TSchema } from 'typebox';
import type { ListPage, Paging } from '../../domain/list-page.ts';
import { Type } from '../../schema.ts';

/** A pattern that matches a word in any case: JSON Schema has no flag for that. */
const inAnyCase = (word: string) =>
  [...word].map((letter) => `[${letter.toLowerCase()}${letter.toUpperCase()}]`).join('');

/** The arguments of every list in the v1 API (specification, section 10). An empty one counts as left out. */
export const pagingArguments = {
  skipCount: Type.Optional(
    Type.String({
      pattern: '^\\d*$',
      refusal: 'skip_count_negative',
      refusalFor: '^-\\d+$',
      description: 'How many entries to pass over, a whole number from 0; 0 when left out.',
    }),
  ),
  maxItems: Type.Optional(
    Type.String({
      pattern: '^(0*[1-9]\\d*)?$',
      refusal: 'max_items_not_positive',
      refusalFor: '^-?\\d+$',
      description: 'How many entries to show at most, a whole number from 1; 100 when left out.',
    }),
  ),
};

/** The argument that orders a list by one of these members, the first one when it is left out. */
export const orderArgument = (...names: readonly [string, ...string[]]) =>
  Type.Optional(
    Type.String({
      pattern: `^((${names.map(inAnyCase).join('|')})( +(${inAnyCase('asc')}|${inAnyCase('desc')}))?)?$`,
      description: `${names.join(' or ')}, alone or with ASC or DESC behind it, in any case; ${names[0]} when left out.`,
    }),
  );

/** Sorts texts alphabetically for people, in the same way on every machine. */
const { compare } = new Intl.Collator('en');

/** The items in the order that a checked `orderBy` asks for. `textOf` has a function for each name. Equal ones keep their order. */
export function inOrderBy<T>(
  items: readonly T[],
  orderBy: string,
  textOf: Readonly<Record<string, (item: T) => string>>,
): readonly T[] {
  const [name, direction = ''] = orderBy.split(/ +/);
  const [first] = Object.keys(textOf);
  const by = Object.keys(textOf).find((each) => each.toLowerCase() === name?.toLowerCase()) ?? first ?? '';
  const sign = /desc/i.test(direction) ? -1 : 1;
  return items.toSorted((one, other) => sign * compare(textOf[by]?.(one) ?? '', textOf[by]?.(other) ?? ''));
}

type PagingArguments = Partial<Record<keyof typeof pagingArguments, string>>;

/** A whole number of any length. A number too large to be exact becomes the largest exact one. */
const countIn = (digits: string) => Math.min(Number(digits), Number.MAX_SAFE_INTEGER);

/** The paging that checked arguments ask for. */
export function pagingOf({ skipCount, maxItems }: PagingArguments): Paging {
  return { skipCount: countIn(skipCount || '0'), maxItems: countIn(maxItems || '100') };
}

/** The JSON Schema of a list of these entries. */
export function listSchema(entry: TSchema): TSchema {
  const pagination = Type.Object({
    count: Type.Integer(),
    hasMoreItems: Type.Boolean(),
    totalItems: Type.Integer(),
    skipCount: Type.Integer(),
    maxItems: Type.Integer(),
  });
  return Type.Object({
    list: Type.Object({ pagination, entries: Type.Array(Type.Object({ entry })) }),
  });
}

/** A part of a list in the form of the v1 API. */
export function listShown<T>(
  { items, totalItems, skipCount, maxItems }: ListPage<T>,
  show: (item: T) => object,
) {
  const count = items.length;
  const hasMoreItems = skipCount + count < totalItems;
  return {
    list: {
      pagination: { count, hasMoreItems, totalItems, skipCount, maxItems },
      entries: items.map((item) => ({ entry: show(item) })),
    },
  };
}
