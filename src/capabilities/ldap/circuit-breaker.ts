/** When a breaker opens, and for how long. */
interface BreakerRule {
  /** Failures in a row after which it opens. */
  readonly failures: number;
  /** Milliseconds. */
  readonly openFor: number;
}

/**
 * Keeps calls away from a server that fails. After some failures in a row it lets no call through for a while, then one as a
 * trial: if that succeeds, all are let through again.
 */
export class CircuitBreaker {
  readonly #rule: BreakerRule;
  readonly #now: () => number;
  #failures = 0;
  #openUntil = 0;
  #onTrial = false;

  /** `now` counts milliseconds and never goes back. */
  constructor(rule: BreakerRule, now: () => number = () => performance.now()) {
    this.#rule = rule;
    this.#now = now;
  }

  get #isOpen(): boolean {
    return this.#failures >= this.#rule.failures;
  }

  /** Whether a call may be made now. If so, call {@link succeeded} or {@link failed} after it. */
  tryAcquire(): boolean {
    if (!this.#isOpen) return true;
    if (this.#onTrial || this.#now() < this.#openUntil) return false;
    this.#onTrial = true;
    return true;
  }

  succeeded(): void {
    this.#failures = 0;
    this.#onTrial = false;
  }

  failed(): void {
    this.#failures += 1;
    this.#onTrial = false;
    if (this.#isOpen) this.#openUntil = this.#now() + this.#rule.openFor;
  }
}
