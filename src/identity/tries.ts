import { HashQueueFull } from './verifier.ts';

interface Place {
  readonly key: string;
  /** How many tries under this key may be under way at once. */
  readonly room: number;
}

/**
 * The tries under way in this process. A try counts as a failure from when it is let through until it succeeds:
 * as many may be under way at once as there are failures left before the threshold, and the next ones are held
 * until one of those is known. So parallel tries do not slip by, and parallel right ones are not refused.
 */
export class Tries {
  readonly #underWay = new Map<string, number>();
  #held: (() => void)[] = [];
  #settled = 0;

  /** Rises whenever a try is settled: what was read of the counters before is old then. */
  get settled(): number {
    return this.#settled;
  }

  /** Takes a place under every key, or none when one of them has no room. */
  enter(places: readonly Place[]): boolean {
    if (places.some(({ key, room }) => (this.#underWay.get(key) ?? 0) >= room)) return false;
    for (const { key } of places) this.#underWay.set(key, (this.#underWay.get(key) ?? 0) + 1);
    return true;
  }

  /** Gives the places back, once a failure is written or a success is known. */
  leave(keys: readonly string[]): void {
    for (const key of keys) {
      const left = (this.#underWay.get(key) ?? 1) - 1;
      if (left === 0) this.#underWay.delete(key);
      else this.#underWay.set(key, left);
    }
    this.#settled += 1;
    for (const wake of this.#held.splice(0)) wake();
  }

  /** Waits until a try is settled; throws {@link HashQueueFull} after `deadline` milliseconds. */
  hold(deadline: number): Promise<void> {
    return new Promise((resolve, reject) => {
      const giveUp = setTimeout(() => {
        this.#held = this.#held.filter((held) => held !== wake);
        reject(new HashQueueFull('held behind other tries past the deadline'));
      }, deadline);
      const wake = () => {
        clearTimeout(giveUp);
        resolve();
      };
      this.#held.push(wake);
    });
  }
}
