const GONE = Symbol('removed');

/** A map whose changes are staged: readers see them only once they are committed. */
export class StagedMap<K, V> {
  readonly #committed = new Map<K, V>();
  readonly #staged = new Map<K, V | typeof GONE>();

  /** The committed value. */
  read(key: K): V | undefined {
    return this.#committed.get(key);
  }

  /** The committed values. */
  readAll(): V[] {
    return [...this.#committed.values()];
  }

  /** The value as the unit under way sees it. */
  get(key: K): V | undefined {
    const staged = this.#staged.get(key);
    if (staged === GONE) return undefined;
    return staged ?? this.#committed.get(key);
  }

  /** The values as the unit under way sees them. */
  all(): V[] {
    const merged = new Map<K, V | typeof GONE>([...this.#committed, ...this.#staged]);
    return [...merged.values()].filter(
      (value): value is Exclude<typeof value, typeof GONE> => value !== GONE,
    ) as V[];
  }

  set(key: K, value: V): void {
    this.#staged.set(key, value);
  }

  delete(key: K): boolean {
    const was = this.get(key) !== undefined;
    this.#staged.set(key, GONE);
    return was;
  }

  commit(): void {
    for (const [key, value] of this.#staged) {
      if (value === GONE) this.#committed.delete(key);
      else this.#committed.set(key, value);
    }
    this.#staged.clear();
  }

  /** A copy of what is staged, to {@link restore} later. */
  mark(): ReadonlyMap<K, V | typeof GONE> {
    return new Map(this.#staged);
  }

  restore(mark: ReadonlyMap<K, V | typeof GONE>): void {
    this.#staged.clear();
    for (const [key, value] of mark) this.#staged.set(key, value);
  }
}
