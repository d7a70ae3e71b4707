import { openMemory } from '../../src/storage/memory/open.ts';
import type { Store } from '../../src/storage/store.ts';

/** A store that tells which units were opened on it, and what it holds. */
export interface WatchedStore extends Store {
  readonly units: ('read' | 'write')[];
  /** Everything that it holds, as text. */
  contents(): Promise<string>;
}

export function watchedStore(): WatchedStore {
  const store = openMemory();
  const units: WatchedStore['units'] = [];
  return {
    units,
    read(work) {
      units.push('read');
      return store.read(work);
    },
    write(work) {
      units.push('write');
      return store.write(work);
    },
    close: () => store.close(),
    contents: () =>
      store.read(async (unit) => {
        const tickets = await unit.tickets.page(undefined, 1_000);
        return JSON.stringify([
          await unit.users.list(),
          tickets,
          await unit.events.list({}),
          await unit.tickets.serverGeneration(),
          await unit.clients.list(),
        ]);
      }),
  };
}
