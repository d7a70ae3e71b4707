import {
  type ReadUnit,
  type Store,
  StoreUnavailable,
  type WriteUnit,
} from '../../../src/core/storage/store.ts';
import { openMemory } from '../../engines/memory/open.ts';

/**
 * A memory store that counts its units and that a test can make fail. It outlives the service on it, so that the test
 * can read it.
 */
export class ChangedStore implements Store {
  readonly #store = openMemory();
  /** Changes each write unit before the work in it. */
  change: (unit: WriteUnit) => WriteUnit = (unit) => unit;
  /** The same for read units. */
  changeRead: (unit: ReadUnit) => ReadUnit = (unit) => unit;
  /** Called once, before the next write, like a write of another process. */
  beforeNextWrite: (() => Promise<void>) | undefined;
  /** Whether the store can answer. */
  answers = true;
  /** Whether a write unit can be committed. */
  commits = true;
  /** Units so far, without those of {@link aside}. */
  reads = 0;
  writes = 0;

  async read<T>(work: (unit: ReadUnit) => Promise<T>): Promise<T> {
    this.#assertAnswers();
    this.reads += 1;
    return this.#store.read((unit) => work(this.changeRead(unit)));
  }

  async write<T>(work: (unit: WriteUnit) => Promise<T>): Promise<T> {
    this.#assertAnswers();
    this.writes += 1;
    const before = this.beforeNextWrite;
    this.beforeNextWrite = undefined;
    await before?.();
    return this.#store.write(async (unit) => {
      const value = await work(this.change(unit));
      if (!this.commits) throw new StoreUnavailable('the disk is full');
      return value;
    });
  }

  /** Writes although everything else fails. */
  aside<T>(work: (unit: WriteUnit) => Promise<T>): Promise<T> {
    return this.#store.write(work);
  }

  async close(): Promise<void> {}

  #assertAnswers(): void {
    if (!this.answers) throw new StoreUnavailable('the disk does not answer');
  }
}

/** The unit with `spoilt` in place of its methods for events. */
export function withEvents(unit: WriteUnit, spoilt: Partial<WriteUnit['events']>): WriteUnit {
  return { ...unit, events: { ...unit.events, ...spoilt } };
}

/** The unit with `spoilt` in place of its methods for tickets. */
export function withTickets(unit: WriteUnit, spoilt: Partial<WriteUnit['tickets']>): WriteUnit {
  return { ...unit, tickets: { ...unit.tickets, ...spoilt } };
}
