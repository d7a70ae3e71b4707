import { openSqlite } from '../../src/storage/sqlite/open.ts';
import type { Store } from '../../src/storage/store.ts';
import { until } from '../service/until.ts';

/** The embedded store, which fails or waits when it is told to. */
export class UnrulyStore {
  /** Thrown by every reading unit while it is set. */
  readFault: Error | undefined;
  /** Thrown by every writing unit while it is set. */
  writeFault: Error | undefined;
  #waiting = 0;
  #held: Promise<void> | undefined;

  /** Lets every unit from now on wait until what is returned is called. */
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

  /** Resolves once so many units wait. */
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
