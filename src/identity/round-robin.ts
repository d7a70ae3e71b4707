/** The entries of one share, line by line. The line whose turn is next comes first. */
type Lines<T> = Map<string, Set<T>>;

/** Removes and returns the first key of a map. */
function takeFirst<V>(map: Map<string, V>): [string, V] | undefined {
  const [first] = map;
  if (first !== undefined) map.delete(first[0]);
  return first;
}

/**
 * A queue that takes turns on two levels: shares get one turn each, and within a share its lines get one turn each. An
 * entry that joins an empty share waits for one entry of each other share at most, however many wait there.
 */
export class RoundRobin<T> {
  readonly #shares = new Map<string, Lines<T>>();

  /** How many shares have entries. */
  get shares(): number {
    return this.#shares.size;
  }

  add(share: string, line: string, entry: T): void {
    const lines: Lines<T> = this.#shares.get(share) ?? new Map();
    const entries = lines.get(line) ?? new Set();
    this.#shares.set(share, lines.set(line, entries.add(entry)));
  }

  /** Removes an entry, if it is there. */
  remove(share: string, line: string, entry: T): void {
    const lines = this.#shares.get(share);
    const entries = lines?.get(line);
    entries?.delete(entry);
    if (entries?.size === 0) lines?.delete(line);
    if (lines?.size === 0) this.#shares.delete(share);
  }

  /** Removes and returns the entry whose turn it is. */
  next(): T | undefined {
    const [share, lines] = takeFirst(this.#shares) ?? [];
    if (share === undefined || lines === undefined) return undefined;
    const [line, entries] = takeFirst(lines) as [string, Set<T>];
    const [entry] = entries as unknown as [T];
    entries.delete(entry);
    if (entries.size > 0) lines.set(line, entries);
    if (lines.size > 0) this.#shares.set(share, lines);
    return entry;
  }
}
