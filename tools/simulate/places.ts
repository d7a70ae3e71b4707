import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Lifetime } from '../../src/core/domain/ticket.ts';
import type { Store } from '../../src/core/storage/store.ts';
import { openRedis } from '../../src/engines/redis/open.ts';
import { openMemory } from '../../test/engines/memory/open.ts';
import { Postgres } from '../../test/service/postgres.ts';
import { Redis } from '../../test/service/redis.ts';
import { openPostgres, openSqlite } from '../../test/service/stores.ts';

/** What an instance opens its store with. */
export interface OpeningParts {
  readonly lifetime: Lifetime;
  readonly clock: () => number;
}

/** Where the instances of a simulation keep everything. */
export interface Place {
  /** Whether each run begins with an empty store, and every step of it happens in the same order again. */
  readonly isRepeatable: boolean;
  /** Whether several writes are under way at once, so that their statements take turns. */
  readonly isStepwise: boolean;
  /** Opens it for one instance more. */
  open(parts: OpeningParts): Promise<Store>;
  /** Begins a run. */
  begin(): void;
  remove(): Promise<void>;
}

/** Deadlines that hold on a busy machine. */
const PATIENT = { commandDeadline: 10_000, replicaDeadline: 10_000 };

function memory(): Place {
  let store = openMemory();
  return {
    isRepeatable: true,
    isStepwise: false,
    begin: () => {
      store = openMemory();
    },
    open: async () => {
      const { read, write } = store;
      return { read, write, close: async () => undefined };
    },
    remove: async () => undefined,
  };
}

const LASTING = { isRepeatable: false, begin: () => undefined } as const;

function sqlite(): Place {
  const folder = mkdtempSync(join(tmpdir(), 'tessera-simulation-'));
  return {
    ...LASTING,
    isStepwise: false,
    open: async () => openSqlite(folder),
    remove: async () => rmSync(folder, { recursive: true, force: true }),
  };
}

async function postgres(): Promise<Place> {
  // Instances that crashed hold theirs for a while.
  const server = await Postgres.start('max_connections = 400');
  const url = await server.freshSchema();
  return {
    ...LASTING,
    isStepwise: true,
    open: () => openPostgres(url),
    remove: () => server.remove(),
  };
}

async function redis(): Promise<Place> {
  const database = await postgres();
  const server = await Redis.start();
  return {
    ...database,
    open: async (parts) => openRedis(server.url, { ...parts, store: await database.open(parts) }, PATIENT),
    remove: async () => {
      await server.remove();
      await database.remove();
    },
  };
}

export const PLACES = { memory, sqlite, postgres, redis };
export type PlaceName = keyof typeof PLACES;
