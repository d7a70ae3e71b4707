/** The indexes of the entries that also stand earlier in the list. */
export function repeatedIn(list: readonly unknown[]): number[] {
  const seen = new Set();
  return [...list.keys()].filter((at) => seen.size === seen.add(list[at]).size);
}
