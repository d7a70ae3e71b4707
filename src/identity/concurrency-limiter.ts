/** Starts work that waited. */
export type Start = () => void;

/** Work that waits. The queue decides its order and how much of it may wait. */
export interface WaitingWork<Place> {
  readonly size: number;
  /** Adds work at this place; throws {@link QueueTimeout} where there is no room for it. */
  add(start: Start, place: Place): void;
  /** Removes work that was given up. */
  remove(start: Start, place: Place): void;
  /** Removes and returns the work whose turn it is. */
  next(): Start | undefined;
}

/** What bounds a {@link ConcurrencyLimiter}. */
export interface ConcurrencyLimits {
  /** How much work runs at a time. */
  readonly atOnce: number;
  /** Milliseconds that work waits at most, where the caller sets no time of its own. */
  readonly deadline: number;
}

/** Thrown when work is not started in time, or when too much work waits. */
export class QueueTimeout extends Error {
  override name = 'QueueTimeout';
}

/** Waiting work in the order in which it came. */
export class FirstComeFirstServed implements WaitingWork<void> {
  readonly #most: number;
  readonly #waiting = new Set<Start>();

  /** Up to `most` wait. */
  constructor(most: number) {
    this.#most = most;
  }

  get size(): number {
    return this.#waiting.size;
  }

  add(start: Start): void {
    if (this.#waiting.size >= this.#most) throw new QueueTimeout('the queue is full');
    this.#waiting.add(start);
  }

  remove(start: Start): void {
    this.#waiting.delete(start);
  }

  next(): Start | undefined {
    const [first] = this.#waiting;
    if (first !== undefined) this.#waiting.delete(first);
    return first;
  }
}

/** Runs a limited amount of work at a time and queues the rest. */
export class ConcurrencyLimiter<Place = void> {
  readonly #limits: ConcurrencyLimits;
  readonly #queue: WaitingWork<Place>;
  #underWay = 0;

  constructor(limits: ConcurrencyLimits, queue: WaitingWork<Place>) {
    this.#limits = limits;
    this.#queue = queue;
  }

  /** How much work waits. */
  get waiting(): number {
    return this.#queue.size;
  }

  /** How much work runs. */
  get underWay(): number {
    return this.#underWay;
  }

  /**
   * Runs `work` when its turn comes. Throws {@link QueueTimeout} when that is not before `giveUpAt` (on the clock of
   * `performance.now()`), or not within the deadline where there is no `giveUpAt`.
   */
  async run<T>(work: () => Promise<T>, place: Place, giveUpAt?: number): Promise<T> {
    if (this.#underWay < this.#limits.atOnce) this.#underWay += 1;
    else await this.#turn(place, giveUpAt);
    try {
      return await work();
    } finally {
      this.#startNext();
      await this.ended(place);
    }
  }

  /** What a result waits for before `run` returns it; the next work has been started by then. */
  protected ended(_place: Place): Promise<void> | undefined {
    return undefined;
  }

  #turn(place: Place, giveUpAt?: number): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const start = () => {
      clearTimeout(timer);
      resolve();
    };
    this.#queue.add(start, place);
    const wait = giveUpAt === undefined ? this.#limits.deadline : Math.max(0, giveUpAt - performance.now());
    const timer = setTimeout(() => {
      this.#queue.remove(start, place);
      reject(new QueueTimeout('no turn in the queue before its deadline'));
    }, wait);
    return promise;
  }

  #startNext(): void {
    const start = this.#queue.next();
    if (start === undefined) this.#underWay -= 1;
    else start();
  }
}

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
