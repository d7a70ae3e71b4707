import { availableParallelism } from 'node:os';
import { ConcurrencyLimiter, type ConcurrencyLimits } from './concurrency-limiter.ts';
import { type HashOwner, HashQueue } from './hash-queue.ts';

/**
 * The most results that are given together while hashes wait. What a login does beside its hash takes less in company:
 * hashes put its code and data out of the processor's caches, and its ticket shares a commit (docs/why/hash-queue.md).
 */
const TOGETHER = 8;
/** Milliseconds a result waits for others at most. */
const IN_COMPANY = 100;

/** Hashes that wait at most: from familiar addresses, and as many from others. */
const MOST_WAITING = 1_000;

/**
 * Runs so many hashes at a time and queues the rest, so that hashing never takes more than its share. While the queue is
 * long for the owner of a hash, its result waits for a moment as well, and results are returned together.
 */
export class HashPool extends ConcurrencyLimiter<HashOwner> {
  readonly #queue: HashQueue;
  readonly #done: (() => void)[] = [];
  #giving: NodeJS.Timeout | undefined;

  constructor(limits: ConcurrencyLimits) {
    const queue = new HashQueue(MOST_WAITING);
    super(limits, queue);
    this.#queue = queue;
  }

  /** Resolves at once where the queue is short for the owner. */
  protected override ended(owner: HashOwner): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#done.push(resolve);
    if (!this.#queue.isLongFor(owner) || this.#done.length >= TOGETHER) this.#give();
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
 * The pool of one of `processes` on this machine, which hashes with so many threads: together they run one hash a core.
 * Hashes wait for `deadline` milliseconds at most.
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
  return new HashPool({ atOnce, deadline });
}
