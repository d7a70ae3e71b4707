import { lifetimeIn } from '../settings/derived.ts';
import type { Settings } from '../settings/table.ts';
import { warningOfOthers } from '../storage/sqlite/data-folder.ts';
import { openSqlite } from '../storage/sqlite/open.ts';
import { type Store, StoreUnavailable } from '../storage/store.ts';
import { agreeOnCase } from './name-case.ts';
import { passwordFrom } from './password.ts';

/** The store that is set, open, with what the operator should know about it. */
export interface OpenedStore {
  readonly store: Store;
  /** Epoch milliseconds, where the engine's clock is the one that all instances judge by. */
  readonly clock?: () => number;
  readonly warnings?: readonly string[];
}

/**
 * Who uses the store. A command is refused where the schema is older: it may be run to look around, and there is no way
 * back. Where the embedded store is missing, one that adds may be the first, and any other looks into the wrong folder.
 */
export type Use = 'service' | 'command' | 'adding' | 'migration';

/**
 * Opens the database that is set, or else the embedded store in the data folder, below the ticket store if one is set and
 * it is not opened for a migration alone.
 */
export async function openStore(settings: Settings, use: Use): Promise<OpenedStore> {
  const below = await openDatabase(settings, use);
  // The schema is the database's alone, and tickets of before a restoring may lie in Redis still.
  if (use === 'migration') return below;
  try {
    await agreeOnCase(below.store, settings.namesCaseSensitive, use !== 'command');
    if (settings.tickets === undefined) return below;
    return await openTickets(settings, settings.tickets, below, use);
  } catch (error) {
    await below.store.close();
    throw error;
  }
}

async function openDatabase({ data, database, databasePassword }: Settings, use: Use): Promise<OpenedStore> {
  const older = use === 'service' || use === 'migration' ? 'migrate' : 'refuse';
  if (database === undefined) {
    const embedded = openSqlite(data, { missing: use === 'command' ? 'refuse' : 'make', older });
    const open = use === 'service' ? warningOfOthers(data) : undefined;
    return { store: embedded, warnings: open === undefined ? [] : [open] };
  }
  const { openPostgres } = await import('../storage/postgres/open.ts');
  // A command lists more than a request ever reads, and does one thing at a time.
  const manner = use === 'service' ? {} : { readers: 1, writers: 1, statementDeadline: 60_000 };
  const store = await openPostgres(database, { password: passwordFrom(databasePassword), ...manner }, older);
  const warning = use === 'service' ? await store.lossAtPromotion().catch(() => undefined) : undefined;
  return { store, clock: store.clock, warnings: warning === undefined ? [] : [warning] };
}

async function openTickets(
  settings: Settings,
  url: string,
  below: OpenedStore,
  use: Use,
): Promise<OpenedStore> {
  const { openRedis } = await import('../storage/redis/open.ts');
  const { clock = Date.now, warnings = [] } = below;
  const store = await openRedis(
    url,
    { store: below.store, lifetime: lifetimeIn(settings), clock },
    {
      password: passwordFrom(settings.ticketsPassword),
      replicas: settings.ticketsReplicas,
      replicaDeadline: settings.ticketsReplicaDeadline,
    },
  );
  if (use !== 'service') return { ...below, store };
  // What stays open would keep the process from ending.
  const health = await store.health().catch(async (error: unknown) => {
    await store.close();
    throw error;
  });
  if (health.refusal === undefined) return { ...below, store, warnings: [...warnings, ...health.warnings] };
  await store.close();
  throw new StoreUnavailable(health.refusal);
}
