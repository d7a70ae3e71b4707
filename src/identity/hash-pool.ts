import { availableParallelism } from 'node:os';
import { type TurnLimits, Turns } from './turns.ts';

/**
 * The most results that are given together while hashes wait. What a login does beside its hash takes less in company:
 * hashes put its code and data out of the processor's caches, and its ticket shares a commit (docs/performance.md).
 */
const TOGETHER = 8;
/** Milliseconds a result waits for others at most. */
const IN_COMPANY = 100;

/**
 * Runs so many hashes at a time and queues the rest, so that hashing never takes more than its share. As long as hashes
 * wait for their turn, results wait for a moment as well, and are given together.
 */
export class HashPool extends Turns {
  readonly #done: (() => void)[] = [];
  #giving: NodeJS.Timeout | undefined;

  constructor(limits: TurnLimits) {
    super(limits, 'hash queue');
  }

  /** Resolves at once where no hash waits for its turn. */
  protected override ended(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#done.push(resolve);
    if (this.waiting === 0 || this.#done.length >= TOGETHER) this.#give();
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
  return new HashPool({ atOnce, deadline, queue: 1_000 });
}
