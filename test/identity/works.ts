import { setImmediate as turn } from 'node:timers/promises';
import { type TurnLimits, Turns } from '../../src/identity/turns.ts';

/** Work that takes turns and ends when the test says so. */
export class Works {
  readonly turns: Turns;
  readonly begun: number[] = [];
  readonly #ends = new Map<number, { resolve: (value: number) => void; reject: (fault: Error) => void }>();

  constructor(limits: Partial<TurnLimits> = {}, Kind = Turns) {
    this.turns = new Kind({ atOnce: 2, deadline: 60_000, queue: 100, ...limits });
  }

  /** Asks for the work of this number. */
  ask(number: number): Promise<number> {
    return this.turns.run(() => {
      this.begun.push(number);
      return new Promise((resolve, reject) => void this.#ends.set(number, { resolve, reject }));
    });
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

/** The numbers of those that were answered, in their order. */
export function answered(results: readonly Promise<number>[]): number[] {
  const numbers: number[] = [];
  for (const result of results) void result.then((number) => numbers.push(number));
  return numbers;
}
