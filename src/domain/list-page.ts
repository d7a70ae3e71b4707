/** Which part of a list is asked for: how many to pass over, and how many to show at most. */
export interface Paging {
  readonly skipCount: number;
  readonly maxItems: number;
}

/** A part of a list, and how long all of it is. */
export interface ListPage<T> extends Paging {
  readonly items: readonly T[];
  readonly totalItems: number;
}

/** The part of `all` that is asked for; empty behind its end. */
export function pageOf<T>(all: readonly T[], { skipCount, maxItems }: Paging): ListPage<T> {
  const items = all.slice(skipCount, skipCount + maxItems);
  return { items, totalItems: all.length, skipCount, maxItems };
}
