import { StoreUnavailable } from '../store.ts';
import { translated } from './errors.ts';

/** The units under way: closing waits for them. */
export class Units {
  #underWay = 0;
  #closed = false;
  readonly #done = Promise.withResolvers<void>();

  async run<T>(work: () => Promise<T>): Promise<T> {
    if (this.#closed) throw new StoreUnavailable('the store is closed');
    this.#underWay += 1;
    try {
      return await work();
    } catch (error) {
      throw translated(error);
    } finally {
      this.#underWay -= 1;
      if (this.#closed && this.#underWay === 0) this.#done.resolve();
    }
  }

  async close(): Promise<void> {
    this.#closed = true;
    if (this.#underWay === 0) this.#done.resolve();
    await this.#done.promise;
  }
}
