/** What an entry counts toward: a name, an address or a network. */
export interface Allowance {
  readonly key: string;
  /** How many entries of the key there may be while all is free; as the room fills, this shrinks in proportion to one. */
  readonly most: number;
}

/**
 * Bounds how many entries wait in all and for each key. Because allowances shrink as the room fills, a few keys never
 * fill it, and a key that has nothing yet finds room.
 */
export class SharedRoom {
  readonly #most: number;
  readonly #taken = new Map<string, number>();
  #size = 0;

  constructor(most: number) {
    this.#most = most;
  }

  get size(): number {
    return this.#size;
  }

  /** How many entries of this key there are. */
  of(key: string): number {
    return this.#taken.get(key) ?? 0;
  }

  /** Whether there is no room for another entry, whatever it counts toward. */
  get full(): boolean {
    return this.#size >= this.#most;
  }

  /** The first allowance that is used up. */
  usedUp(allowances: readonly Allowance[]): Allowance | undefined {
    const free = 1 - this.#size / this.#most;
    return allowances.find(({ key, most }) => this.of(key) >= Math.ceil(most * free));
  }

  take(allowances: readonly Allowance[]): void {
    this.#size += 1;
    for (const { key } of allowances) this.#taken.set(key, this.of(key) + 1);
  }

  giveBack(allowances: readonly Allowance[]): void {
    this.#size -= 1;
    for (const { key } of allowances) {
      const left = this.of(key) - 1;
      if (left > 0) this.#taken.set(key, left);
      else this.#taken.delete(key);
    }
  }
}
