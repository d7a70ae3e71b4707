/**
 * Searches for a linearization: an order of operations that a sequential object allows, and in which no operation comes before
 * one that had returned before it was called. The search is that of Wing and Gong ("Testing and verifying concurrent objects",
 * 1993), with the memory of visited configurations that Lowe added ("Testing for linearizability", 2017).
 */

/** A state of an object. Two with the same key are the same. */
export interface State {
  readonly key: string;
}

/** What happens to an object between `begin` and `end`; with an `end` of `Infinity`, later, or never. */
export interface Step<S extends State> {
  readonly begin: number;
  readonly end: number;
  /** Steps of the same effect do the same to every state. */
  readonly effect: string;
  /** If it leaves the state as it is now, it does so whenever it can happen later. */
  readonly isRead: boolean;
  /** The state afterwards; undefined if this cannot happen in `state`. */
  after(state: S): S | undefined;
}

/** The order of all that happened; or the longest order that was found, and the steps of which one had to come next. */
export type Linearization<T> =
  | { readonly order: readonly T[]; readonly stuck?: undefined }
  | { readonly order: readonly T[]; readonly stuck: readonly T[] };

/** Steps in the order of their begins, without those that were taken: taking one and putting it back cost nothing. */
class Remaining<T extends Step<State>> {
  readonly #steps: readonly T[];
  readonly #next: number[];
  readonly #previous: number[];

  constructor(steps: readonly T[]) {
    this.#steps = steps;
    const { length } = steps;
    this.#next = Array.from({ length: length + 1 }, (_, at) => (at + 1) % (length + 1));
    this.#previous = Array.from({ length: length + 1 }, (_, at) => (at + length) % (length + 1));
  }

  get isEmpty(): boolean {
    return this.#first === this.#steps.length;
  }

  /** The steps that may come next: no other one ended before they began. */
  candidates(): number[] {
    const found: number[] = [];
    let earliestEnd = Number.POSITIVE_INFINITY;
    for (let at = this.#first; at < this.#steps.length; at = this.#next[at] as number) {
      const { begin, end } = this.#steps[at] as T;
      if (begin > earliestEnd) break;
      earliestEnd = Math.min(earliestEnd, end);
      found.push(at);
    }
    return found;
  }

  take(at: number): void {
    const [before, behind] = [this.#previous[at] as number, this.#next[at] as number];
    this.#next[before] = behind;
    this.#previous[behind] = before;
  }

  /** Puts back what was taken last. */
  putBack(at: number): void {
    this.#next[this.#previous[at] as number] = at;
    this.#previous[this.#next[at] as number] = at;
  }

  /** The steps up to `last` that were not taken. */
  upTo(last: number): number[] {
    const found: number[] = [];
    for (let at = this.#first; at <= last && at < this.#steps.length; at = this.#next[at] as number)
      found.push(at);
    return found;
  }

  get #first(): number {
    return this.#next[this.#steps.length] as number;
  }
}

/** A point of the search from which several steps may come next. */
interface Fork<S> {
  readonly state: S;
  /** How many steps were taken up to here. */
  readonly depth: number;
  readonly choices: readonly number[];
  tried: number;
}

class Search<S extends State, T extends Step<S>> {
  readonly #steps: readonly T[];
  readonly #remaining: Remaining<T>;
  readonly #visited = new Set<string>();
  readonly #order: number[] = [];
  /** The greatest of the steps taken, at each length of the order. */
  readonly #greatest: number[] = [];
  #longest: { readonly order: readonly number[]; readonly stuck: readonly number[] } | undefined;
  /** How many steps with an end remain. */
  #due: number;

  constructor(steps: readonly T[]) {
    this.#steps = steps.toSorted((a, b) => a.begin - b.begin);
    this.#remaining = new Remaining(this.#steps);
    this.#due = steps.filter(({ end }) => end < Number.POSITIVE_INFINITY).length;
  }

  run(initial: S): Linearization<T> {
    const forks: Fork<S>[] = [];
    let state: S | undefined = initial;
    for (;;) {
      if (state !== undefined) {
        const choices = this.#choicesAfter(state);
        if (this.#due === 0) return { order: this.#stepsOf(this.#order) };
        forks.push({ state, depth: this.#order.length, choices, tried: 0 });
      }
      const fork = forks.at(-1);
      if (fork === undefined) return this.#failure();
      this.#backTo(fork.depth);
      state = this.#next(fork);
      if (state === undefined) forks.pop();
    }
  }

  /** Takes the next choice of a fork; undefined if it has none left. */
  #next(fork: Fork<S>): S | undefined {
    while (fork.tried < fork.choices.length) {
      const at = fork.choices[fork.tried] as number;
      fork.tried += 1;
      const state = this.#step(at).after(fork.state);
      if (state === undefined || (state.key === fork.state.key && !this.#isDue(at))) continue;
      this.#take(at);
      return state;
    }
    return undefined;
  }

  /**
   * Takes all reads that may come next: any order that begins otherwise is also valid with them first. Then gives the steps to
   * try, none if this configuration was visited before.
   */
  #choicesAfter(state: S): number[] {
    for (;;) {
      const candidates = this.#remaining.candidates();
      const reads = candidates.filter((at) => this.#isReadIn(state, at));
      for (const at of reads) this.#take(at);
      if (reads.length > 0) continue;
      const greatest = this.#greatest.at(-1) ?? -1;
      const configuration = `${state.key} ${greatest} ${this.#remaining.upTo(greatest).join(' ')}`;
      if (this.#visited.has(configuration)) return [];
      this.#visited.add(configuration);
      return this.#firstOfEach(candidates);
    }
  }

  /** Of each effect the step that ends first: if another one came first in an order, the two could change places. */
  #firstOfEach(candidates: readonly number[]): number[] {
    const first = new Map<string, number>();
    for (const at of candidates) {
      const { effect, end } = this.#step(at);
      const other = first.get(effect);
      if (other === undefined || end < this.#step(other).end) first.set(effect, at);
    }
    return [...first.values()];
  }

  #isReadIn(state: S, at: number): boolean {
    const step = this.#step(at);
    return step.isRead && step.after(state)?.key === state.key;
  }

  #take(at: number): void {
    this.#remaining.take(at);
    this.#order.push(at);
    this.#greatest.push(Math.max(at, this.#greatest.at(-1) ?? -1));
    if (this.#isDue(at)) this.#due -= 1;
  }

  #backTo(depth: number): void {
    if (this.#order.length > depth) this.#noteLongest();
    while (this.#order.length > depth) {
      const at = this.#order.pop() as number;
      this.#greatest.pop();
      this.#remaining.putBack(at);
      if (this.#isDue(at)) this.#due += 1;
    }
  }

  #noteLongest(): void {
    if (this.#longest !== undefined && this.#order.length <= this.#longest.order.length) return;
    const stuck = this.#remaining.candidates().filter((at) => this.#isDue(at));
    this.#longest = { order: [...this.#order], stuck };
  }

  #failure(): Linearization<T> {
    this.#noteLongest();
    const { order = [], stuck = [] } = this.#longest ?? {};
    return { order: this.#stepsOf(order), stuck: this.#stepsOf(stuck) };
  }

  #step(at: number): T {
    return this.#steps[at] as T;
  }

  #isDue(at: number): boolean {
    return this.#step(at).end < Number.POSITIVE_INFINITY;
  }

  #stepsOf(order: readonly number[]): T[] {
    return order.map((at) => this.#step(at));
  }
}

/** Searches for an order of all steps that have an end, and of any of the others, from `initial` on. */
export function linearize<S extends State, T extends Step<S>>(
  initial: S,
  steps: readonly T[],
): Linearization<T> {
  return new Search<S, T>(steps).run(initial);
}
