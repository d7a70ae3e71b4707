import { availableParallelism } from 'node:os';
import { HashQueueFull } from './verifier.ts';

interface Waiting {
  readonly start: () => void;
  readonly giveUp: NodeJS.Timeout;
}

/** What bounds a {@link HashPool}. */
export interface HashPoolLimits {
  /** Hashes that are handed to the threads at a time. */
  readonly atOnce: number;
  /** Milliseconds a hash may wait for its turn. */
  readonly deadline: number;
  /** Hashes that may wait at once. */
  readonly queue: number;
  /** Results that are given together while hashes wait. */
  readonly together: number;
}

/** Milliseconds a result waits for others at most. */
const IN_COMPANY = 50;

/**
 * Runs so many hashes at a time and queues the rest, so that hashing never takes more than its share. As long as hashes
 * wait for their turn, results wait for a moment as well, and are given together.
 */
export class HashPool {
  readonly #limits: HashPoolLimits;
  readonly #queue = new Set<Waiting>();
  readonly #done: (() => void)[] = [];
  #giving: NodeJS.Timeout | undefined;
  #running = 0;

  constructor(limits: HashPoolLimits) {
    this.#limits = limits;
  }

  /** How many hashes wait for their turn. */
  get waiting(): number {
    return this.#queue.size;
  }

  /** Runs `work` when its turn comes; throws {@link HashQueueFull} when that is not before the deadline. */
  async run<T>(work: () => Promise<T>): Promise<T> {
    if (this.#running < this.#limits.atOnce) this.#running += 1;
    else await this.#turn();
    try {
      return await work();
    } finally {
      this.#passOn();
      await this.#company();
    }
  }

  #turn(): Promise<void> {
    if (this.#queue.size >= this.#limits.queue) throw new HashQueueFull('the hash queue is full');
    return new Promise((resolve, reject) => {
      const giveUp = setTimeout(() => {
        this.#queue.delete(waiting);
        reject(new HashQueueFull('no turn in the hash queue before its deadline'));
      }, this.#limits.deadline);
      const waiting = { start: resolve, giveUp };
      this.#queue.add(waiting);
    });
  }

  /** Gives the place of a finished hash to the one that waits longest. */
  #passOn(): void {
    const [next] = this.#queue;
    if (next === undefined) {
      this.#running -= 1;
      return;
    }
    this.#queue.delete(next);
    clearTimeout(next.giveUp);
    next.start();
  }

  /** Resolves at once where no hash waits for its turn. */
  #company(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#done.push(resolve);
    if (this.#queue.size === 0 || this.#done.length >= this.#limits.together) this.#give();
    else this.#giving ??= setTimeout(() => this.#give(), IN_COMPANY);
    return promise;
  }

  #give(): void {
    clearTimeout(this.#giving);
    this.#giving = undefined;
    for (const give of this.#done.splice(0)) give();
  }
}

/**
 * What a login does beside its hash takes less in company: hashes put its code and data out of the processor's caches,
 * and its ticket shares a commit (docs/performance.md).
 */
const TOGETHER = 4;

/**
 * The pool of one of `processes` on this machine, which hashes with so many threads: together they run one hash a core,
 * and a thousand wait in each for `deadline` milliseconds at most.
 */
export function hashPoolFor(
  deadline: number,
  processes: number,
  threads = Number.POSITIVE_INFINITY,
): HashPool {
  const share = Math.max(1, Math.floor(availableParallelism() / processes));
  // Threads that are no more than the share keep to it by themselves. As many hashes again wait at them then, so that
  // none idles while the event loop waits for the disk.
  const atOnce = threads >= 1 && threads <= share ? 2 * threads : share;
  return new HashPool({ atOnce, deadline, queue: 1_000, together: TOGETHER });
}
