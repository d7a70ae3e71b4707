type Work = (...words: unknown[]) => unknown;

interface Timer {
  readonly number: number;
  readonly at: number;
  readonly every: number | undefined;
  readonly work: () => unknown;
}

/** When every simulation begins, in epoch milliseconds. */
const BEGIN = Date.UTC(2026, 0, 1);

/**
 * Time of this process that stands still until it is moved on: the clock, the monotonic clock and the timers of JavaScript. What
 * runs on it depends on no machine. `setImmediate` stays as it is.
 */
export class VirtualTime {
  #now = 0;
  #number = 0;
  #timers = new Map<number, Timer>();

  /** Replaces the time of the process, for good. */
  install(): void {
    const timer =
      (isRepeated: boolean) =>
      (work: Work, delay?: number, ...words: unknown[]) =>
        this.#add(() => work(...words), delay, isRepeated);
    const clear = (handle: unknown) => void this.#timers.delete(Number(handle));
    const replacements = {
      setTimeout: timer(false),
      setInterval: timer(true),
      clearTimeout: clear,
      clearInterval: clear,
    };
    Object.assign(globalThis, replacements);
    performance.now = () => this.#now;
    Date.now = () => BEGIN + this.#now;
  }

  /** Begins anew, without timers. */
  reset(): void {
    this.#now = 0;
    this.#number = 0;
    this.#timers = new Map();
  }

  /** Moves on by so many milliseconds. What is due meanwhile begins, at its time and in its order. */
  advance(by: number): void {
    const end = this.#now + by;
    for (let next = this.#next(); next !== undefined && next.at <= end; next = this.#next()) this.#run(next);
    this.#now = end;
  }

  /** Moves on to the next timer and begins its work. Returns false if there is none. */
  advanceToNext(): boolean {
    const next = this.#next();
    if (next !== undefined) this.#run(next);
    return next !== undefined;
  }

  #run({ number, at, every, work }: Timer): void {
    this.#now = Math.max(this.#now, at);
    if (every === undefined) this.#timers.delete(number);
    else this.#timers.set(number, { number, at: at + every, every, work });
    work();
  }

  #next(): Timer | undefined {
    return [...this.#timers.values()].sort((a, b) => a.at - b.at || a.number - b.number)[0];
  }

  #add(work: () => unknown, delay = 0, isRepeated = false) {
    this.#number += 1;
    const number = this.#number;
    const wait = Math.max(1, delay);
    this.#timers.set(number, { number, at: this.#now + wait, every: isRepeated ? wait : undefined, work });
    const handle = {
      ref: () => handle,
      unref: () => handle,
      hasRef: () => true,
      refresh: () => handle,
      [Symbol.toPrimitive]: () => number,
    };
    return handle;
  }
}
