import type { Store } from '../../src/core/storage/store.ts';
import { openMemoryOn } from '../engines/memory/open.ts';
import { emptyTables } from '../engines/memory/tables.ts';

/** A store that records the units that were opened, and shows its contents. */
export interface WatchedStore extends Store {
  readonly units: ('read' | 'write')[];
  /** All its rows, of every kind, as text. */
  contents(): string;
}

export function watchedStore(): WatchedStore {
  const tables = emptyTables();
  const store = openMemoryOn(tables);
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
    contents: () => JSON.stringify(Object.values(tables).map((table) => table.readAll())),
  };
}
