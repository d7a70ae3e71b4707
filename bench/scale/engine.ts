import type { Store } from '../../src/storage/store.ts';

/** How much a store is filled with. */
export interface Size {
  readonly tickets: number;
  readonly users: number;
}

/** A filled store. Disposing of it ends its servers and removes its files. */
export interface Filled extends AsyncDisposable {
  readonly store: Store;
  /** Bytes that all tickets and all users take, their indexes included. */
  bytes(): Promise<{ readonly tickets: number; readonly users: number }>;
  /** CPU seconds that the engine's own processes have used so far, beside this one. */
  serverSeconds(): number;
}

/** An engine whose growth is measured. */
export interface Engine {
  readonly name: string;
  /** What a reader has to know to judge the figures. */
  readonly about: string;
  /** Where a ticket's bytes are. */
  readonly keptIn: 'disk' | 'memory';
  fill(size: Size, folder: string, say: (progress: string) => void): Promise<Filled>;
}
