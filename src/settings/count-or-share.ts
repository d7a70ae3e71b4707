/** A number of things, or a share of all of them. */
export type CountOrShare = { readonly count: number } | { readonly percent: number };

/** How many of `all` that is, rounded up. */
export function numberOf(wanted: CountOrShare, all: number): number {
  return 'count' in wanted ? wanted.count : Math.ceil((all * wanted.percent) / 100);
}
