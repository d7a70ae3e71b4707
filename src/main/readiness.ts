import type { ProbeResult } from '../core/domain/probe.ts';
import type { Store } from '../core/storage/store.ts';

/** Milliseconds for which a look answers further probes: anybody may send them, and each look asks the store. */
const LOOK_HOLDS = 10_000;

/** Whether this process is ready: it listens, it does not stop, and its store can be read. */
export class Readiness {
  readonly #store: Store;
  readonly #clock: () => number;
  #notReady: 'starting' | 'stopping' | undefined = 'starting';
  #look: { readonly at: number; readonly isReady: Promise<boolean> } | undefined;

  constructor({ store, clock }: { readonly store: Store; readonly clock: () => number }) {
    this.#store = store;
    this.#clock = clock;
  }

  /** From now on the service is ready while the store can be read. */
  started(): void {
    this.#notReady = undefined;
  }

  /** From now on the service is not ready. */
  stopping(): void {
    this.#notReady = 'stopping';
  }

  /** Why the service is not ready; undefined if it is. Never rejects. */
  async fault(): Promise<string | undefined> {
    if (this.#notReady !== undefined) return this.#notReady;
    return this.#store
      .read((unit) => unit.tickets.serverGeneration())
      .then(
        () => undefined,
        (fault: Error) => fault.message,
      );
  }

  /** As {@link fault}, from the last look while that holds. A service that stops says so at once. */
  async probe(): Promise<ProbeResult> {
    if (this.#notReady !== undefined) return { isReady: false, isTested: true };
    const now = this.#clock();
    if (this.#look !== undefined && Math.abs(now - this.#look.at) < LOOK_HOLDS)
      return { isReady: await this.#look.isReady, isTested: false };
    const isReady = this.fault().then((fault) => fault === undefined);
    this.#look = { at: now, isReady };
    return { isReady: await isReady, isTested: true };
  }
}
