import type { MaybePromise } from '../../src/core/maybe-promise.ts';
import { type ReadUnit, type Store, StoreUnavailable, type WriteUnit } from '../../src/core/storage/store.ts';

/** What goes wrong with one unit. A read only fails or is cut off. */
export const FAULTS = ['is cut off', 'fails', 'commits and fails', 'conflicts'] as const;
export type StoreFault = (typeof FAULTS)[number];

/** Thrown to an instance that has crashed, so that its transactions end. Nobody is told. */
class Crashed extends Error {
  override name = 'Crashed';
}

/** Thrown in a unit so that the engine undoes it. */
class Conflict extends Error {
  override name = 'Conflict';
}

const nothing = () => new Promise<never>(() => undefined);

/** What decides when the next step of an instance happens. */
export type Pass = (step: string) => Promise<void>;

/** The same unit, in which each statement waits for its turn. */
function stepwise<U extends object>(unit: U, pass: () => Promise<void>): U {
  const waiting = (part: object): object =>
    new Proxy(part, {
      get(target, name) {
        const member = Reflect.get(target, name, target);
        if (typeof member !== 'function') return member;
        return async (...words: unknown[]) => {
          await pass();
          return member.apply(target, words);
        };
      },
    });
  return new Proxy(unit, {
    get(target, name) {
      const member = Reflect.get(target, name, target);
      return typeof member === 'object' && member !== null ? waiting(member) : member;
    },
  });
}

/**
 * The way of one instance to its store. Each unit waits for its turn before it begins and before it is answered, and the statements
 * of a read wait in between. Units may fail, and after a crash of the instance nothing of it happens any more.
 */
export class FaultyStore implements Store {
  readonly #below: Store;
  readonly #pass: Pass;
  readonly #isStepwise: boolean;
  readonly #faults: StoreFault[] = [];
  #isDead = false;
  /** Whether units wait. They do not while the instance is put together. */
  waits = false;

  /** `isStepwise`: whether the statements of a write wait, too. An engine that writes one unit at a time would only stand still. */
  constructor(below: Store, pass: Pass, isStepwise: boolean) {
    this.#below = below;
    this.#pass = pass;
    this.#isStepwise = isStepwise;
  }

  get isDead(): boolean {
    return this.#isDead;
  }

  /** The next unit to which it can happen has this fault. */
  plan(fault: StoreFault): void {
    this.#faults.push(fault);
  }

  /** From now on everything goes well. */
  heal(): void {
    this.#faults.length = 0;
  }

  /** The instance is gone: what it has not committed is undone, and nothing is answered. */
  crash(): void {
    this.#isDead = true;
  }

  read<T>(work: (unit: ReadUnit) => MaybePromise<T>): Promise<T> {
    return this.#untilCrash(async () => {
      if (!this.waits) return this.#below.read(work);
      await this.step('asks');
      const fault = this.#take(['is cut off', 'fails']);
      if (fault !== undefined) throw await this.#unavailable(fault);
      const value = await this.#below.read((unit) => work(stepwise(unit, () => this.step('reads'))));
      await this.step('has read');
      return value;
    });
  }

  write<T>(work: (unit: WriteUnit) => Promise<T>): Promise<T> {
    return this.#untilCrash(async () => {
      if (!this.waits) return this.#below.write(work);
      await this.step('begins');
      const fault = this.#take(FAULTS);
      if (fault === 'is cut off') throw await this.#unavailable(fault);
      if (fault === 'conflicts') await this.#undone(work);
      const value = await this.#below.write(async (unit) => {
        const outcome = await work(this.#inSteps(unit));
        if (fault === 'fails') throw await this.#unavailable(fault);
        return outcome;
      });
      await this.step('has committed');
      if (fault === 'commits and fails') throw await this.#unavailable(fault);
      return value;
    });
  }

  close(): Promise<void> {
    return this.#below.close();
  }

  /** Waits for the turn of this step. Throws once the instance has crashed. */
  async step(name: string): Promise<void> {
    if (this.waits && !this.#isDead) await this.#pass(name);
    if (this.#isDead) throw new Crashed('the instance has crashed');
  }

  #inSteps(unit: WriteUnit): WriteUnit {
    return this.#isStepwise ? stepwise(unit, () => this.step('writes')) : unit;
  }

  async #undone(work: (unit: WriteUnit) => Promise<unknown>): Promise<void> {
    const attempt = this.#below.write(async (unit) => {
      await work(this.#inSteps(unit));
      throw new Conflict('simulated');
    });
    await attempt.catch((error) => {
      if (!(error instanceof Conflict)) throw error;
    });
    await this.step('begins again');
  }

  async #unavailable(fault: StoreFault): Promise<StoreUnavailable> {
    await this.step(fault);
    return new StoreUnavailable(`simulated: it ${fault}`);
  }

  #take(possible: readonly StoreFault[]): StoreFault | undefined {
    const [next] = this.#faults;
    return next !== undefined && possible.includes(next) ? this.#faults.shift() : undefined;
  }

  async #untilCrash<T>(work: () => Promise<T>): Promise<T> {
    try {
      const value = await work();
      return this.#isDead ? await nothing() : value;
    } catch (error) {
      return this.#isDead ? nothing() : Promise.reject(error);
    }
  }
}
