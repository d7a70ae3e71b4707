/** A requested page of a list: how many items to skip, and how many to show at most. */
export interface Paging {
  readonly skipCount: number;
  readonly maxItems: number;
}

/** A page of a list, and the length of the whole list. */
export interface ListPage<T> extends Paging {
  readonly items: readonly T[];
  readonly totalItems: number;
}

/** The requested page of `all`; empty after its end. */
export function pageOf<T>(all: readonly T[], { skipCount, maxItems }: Paging): ListPage<T> {
  const items = all.slice(skipCount, skipCount + maxItems);
  return { items, totalItems: all.length, skipCount, maxItems };
}
