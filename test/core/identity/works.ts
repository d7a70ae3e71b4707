import { setImmediate as turn } from 'node:timers/promises';
import {
  ConcurrencyLimiter,
  type ConcurrencyLimits,
  FirstComeFirstServed,
} from '../../../src/core/identity/concurrency-limiter.ts';

/** Work that runs through a limiter and ends when the test ends it. */
export class Works<Place = void> {
  readonly limiter: ConcurrencyLimiter<Place>;
  readonly begun: number[] = [];
  readonly #ends = new Map<number, { resolve: (value: number) => void; reject: (fault: Error) => void }>();

  constructor(limiter: ConcurrencyLimiter<Place>) {
    this.limiter = limiter;
  }

  /** Requests the work of this number. */
  ask(number: number, place: Place): Promise<number> {
    return this.limiter.run(() => {
      this.begun.push(number);
      return new Promise((resolve, reject) => void this.#ends.set(number, { resolve, reject }));
    }, place);
  }

  async end(number: number): Promise<void> {
    this.#ends.get(number)?.resolve(number);
    await turn();
  }

  async fail(number: number): Promise<void> {
    this.#ends.get(number)?.reject(new Error(`work ${number} failed`));
    await turn();
  }
}

/** Work that waits in the order of arrival. */
export function worksInOrder(limits: Partial<ConcurrencyLimits & { queue: number }> = {}): Works {
  const { queue = 100, ...rest } = limits;
  const wanted = { atOnce: 2, deadline: 60_000, ...rest };
  return new Works(new ConcurrencyLimiter(wanted, new FirstComeFirstServed(queue)));
}

/** The numbers of the work that has ended, in the order of their ends. */
export function answered(results: readonly Promise<number>[]): number[] {
  const numbers: number[] = [];
  for (const result of results) void result.then((number) => numbers.push(number));
  return numbers;
}
