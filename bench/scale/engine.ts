import type { Store } from '../../src/core/storage/store.ts';

/** The number of tickets and users in a store. */
export interface Size {
  readonly tickets: number;
  readonly users: number;
}

/** A filled store. Disposing of it ends its servers and removes its files. */
export interface Filled extends AsyncDisposable {
  readonly store: Store;
  /** The bytes of all tickets and of all users, including their indexes. */
  bytes(): Promise<{ readonly tickets: number; readonly users: number }>;
  /** CPU seconds of the engine's own processes so far. */
  serverSeconds(): number;
}

/** A store engine to measure. */
export interface Engine {
  readonly name: string;
  /** Facts that a reader needs to judge the figures. */
  readonly about: string;
  /** Where the engine keeps the bytes of a ticket. */
  readonly keptIn: 'disk' | 'memory';
  fill(size: Size, folder: string, say: (progress: string) => void): Promise<Filled>;
}
