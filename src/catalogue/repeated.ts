/** The places in a list, from 0, of what stands in it before. */
export function repeatedIn(list: readonly unknown[]): number[] {
  const seen = new Set();
  return [...list.keys()].filter((at) => seen.size === seen.add(list[at]).size);
}
