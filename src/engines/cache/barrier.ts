/**
 * A question to a server that callers share until it is sent. Only one is under way at a time, so that many callers share the
 * next one.
 */
export class Barrier {
  readonly #ask: () => Promise<void>;
  #next: PromiseWithResolvers<void> | undefined;
  #isUnderWay = false;
  #isDue = false;

  /** `ask` notes everything as changed that was changed before it was called, or rejects. */
  constructor(ask: () => Promise<void>) {
    this.#ask = ask;
  }

  /** Resolves once everything is noted as changed that was changed before this call. Rejects when the server does not tell. */
  upToDate(): Promise<void> {
    this.#next ??= Promise.withResolvers();
    this.#schedule();
    return this.#next.promise;
  }

  /** Asks at the end of this turn of the event loop, unless an earlier question waits for its answer. */
  #schedule(): void {
    if (this.#isDue || this.#isUnderWay || this.#next === undefined) return;
    this.#isDue = true;
    setImmediate(() => {
      const next = this.#next;
      this.#next = undefined;
      this.#isDue = false;
      this.#isUnderWay = true;
      const done = () => {
        this.#isUnderWay = false;
        this.#schedule();
      };
      this.#ask().finally(done).then(next?.resolve, next?.reject);
    });
  }
}
