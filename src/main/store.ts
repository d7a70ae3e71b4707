import type { Settings } from '../settings/table.ts';
import { openSqlite } from '../storage/sqlite/open.ts';
import type { Store } from '../storage/store.ts';

/** The store that is set, open, with what the operator should know about it. */
export interface OpenedStore {
  readonly store: Store;
  /** Epoch milliseconds, where the engine's clock is the one that all instances judge by. */
  readonly clock?: () => number;
  readonly warning?: string | undefined;
}

/** Opens the database that is set, or else the embedded store in the data folder. */
export async function openStore(settings: Settings, use: 'service' | 'command'): Promise<OpenedStore> {
  const { data, database, databasePassword: password } = settings;
  if (database === undefined) return { store: openSqlite(data) };
  const { openPostgres } = await import('../storage/postgres/open.ts');
  // A command lists more than a request ever reads, and does one thing at a time.
  const manner = use === 'command' ? { readers: 1, writers: 1, statementDeadline: 60_000 } : {};
  const store = await openPostgres(database, { password, ...manner });
  return {
    store,
    clock: store.clock,
    warning: use === 'service' ? await store.lossAtPromotion().catch(() => undefined) : undefined,
  };
}
