import { placeOf } from './two-generation-cache.ts';

/** How many counts there are: a power of two. */
const COUNTS = 4_096;

/**
 * Counts the changes under each key, so that a cached value can be compared with them. Keys share counters: a value that is
 * still valid may be dropped, but a stale one is never kept.
 */
export class InvalidationCounters {
  readonly #counts = new Uint32Array(COUNTS);
  readonly #noted = new Set<number>();
  #anyNoted = false;
  /** How often everything may have changed. */
  #all = 0;

  /** Which count is that of this key. */
  countOf(key: string | number): number {
    return placeOf(key) & (COUNTS - 1);
  }

  /** A number that is another one once anything is changed that one of these counts is of. */
  under(counts: readonly number[]): number {
    let sum = this.#all;
    for (const count of counts) sum += this.#counts[count] as number;
    return sum;
  }

  /** As {@link under}, of one count. */
  underOne(count: number): number {
    return this.#all + (this.#counts[count] as number);
  }

  /** Notes that a unit of this process changes what is known under this key; without one, that it may change anything. */
  note(key?: string | number): void {
    if (key === undefined) this.#anyNoted = true;
    else this.#noted.add(this.countOf(key));
  }

  /** Counts what was noted, or `everything`. */
  settle(everything: boolean): void {
    if (everything || this.#anyNoted) this.clear();
    for (const count of this.#noted) this.#counts[count] = (this.#counts[count] as number) + 1;
    this.#noted.clear();
    this.#anyNoted = false;
  }

  /** Counts a change of everything. */
  clear(): void {
    this.#all += 1;
  }
}
