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
