import type { Store } from '../../../src/core/storage/store.ts';
import { openSqlite } from '../../service/stores.ts';
import { until } from '../../service/until.ts';

/** The embedded store, which a test can make fail or wait. */
export class UnrulyStore {
  /** If it is set, every reading unit throws it. */
  readFault: Error | undefined;
  /** If it is set, every writing unit throws it. */
  writeFault: Error | undefined;
  #waiting = 0;
  #held: Promise<void> | undefined;

  /** From now on every unit waits until the returned function is called. */
  hold(): () => void {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#held = promise;
    return () => {
      this.#held = undefined;
      resolve();
    };
  }

  /** How many units wait. */
  get waiting(): number {
    return this.#waiting;
  }

  /** Resolves once this many units wait. */
  untilWaiting(units: number): Promise<void> {
    return until(`${units} units wait`, () => this.#waiting >= units);
  }

  /** Opens the store in `folder`. */
  readonly open = (folder: string): Store => {
    const store = openSqlite(folder);
    return {
      read: async (work) => {
        await this.#wait();
        if (this.readFault !== undefined) throw this.readFault;
        return store.read(work);
      },
      write: async (work) => {
        await this.#wait();
        if (this.writeFault !== undefined) throw this.writeFault;
        return store.write(work);
      },
      close: () => store.close(),
    };
  };

  async #wait(): Promise<void> {
    if (this.#held === undefined) return;
    this.#waiting += 1;
    await this.#held;
    this.#waiting -= 1;
  }
}
