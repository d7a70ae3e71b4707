/**
 * A question to a server that callers share until it is sent. Only one is under way at a time, so that many callers share the
 * next one. It may wait for further callers before it is sent.
 */
export class Barrier {
  readonly #ask: () => Promise<void>;
  readonly #wait: number;
  #next: PromiseWithResolvers<void> | undefined;
  #isUnderWay = false;
  #isDue = false;

  /**
   * `ask` notes everything as changed that was changed before it was called, or rejects. The first caller of a question waits for
   * others for `wait` milliseconds; with 0, to the end of the turn of the event loop.
   */
  constructor(ask: () => Promise<void>, wait = 0) {
    this.#ask = ask;
    this.#wait = wait;
  }

  /** Resolves once everything is noted as changed that was changed before this call. Rejects when the server does not tell. */
  upToDate(): Promise<void> {
    this.#next ??= Promise.withResolvers();
    this.#schedule();
    return this.#next.promise;
  }

  /** Asks once the wait is over, unless an earlier question waits for its answer. */
  #schedule(): void {
    if (this.#isDue || this.#isUnderWay || this.#next === undefined) return;
    this.#isDue = true;
    if (this.#wait > 0) setTimeout(() => this.#send(), this.#wait);
    else setImmediate(() => this.#send());
  }

  #send(): void {
    const next = this.#next;
    this.#next = undefined;
    this.#isDue = false;
    this.#isUnderWay = true;
    const done = () => {
      this.#isUnderWay = false;
      this.#schedule();
    };
    this.#ask().finally(done).then(next?.resolve, next?.reject);
  }
}
