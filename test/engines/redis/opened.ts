import type { TestContext } from 'node:test';
import type { Lifetime } from '../../../src/core/domain/ticket.ts';
import type { Store } from '../../../src/core/storage/store.ts';
import { openRedis, type RedisStore } from '../../../src/engines/redis/open.ts';
import type { RedisOptions } from '../../../src/engines/redis/target.ts';
import { afterwards } from '../../service/afterwards.ts';
import { temporaryFolder } from '../../service/start.ts';
import { openNewSqlite } from '../../service/stores.ts';

export const HOUR = 60 * 60_000;
export const LIFETIME: Lifetime = { idle: HOUR, age: 24 * HOUR };

/** Deadlines that hold on a busy machine. */
export const PATIENT: RedisOptions = { commandDeadline: 10_000, replicaDeadline: 10_000 };

/** What of the opening a test changes. */
export interface Manner {
  /** The database; an own one of the test where none is given. */
  readonly below?: Store;
  readonly lifetime?: Lifetime;
  readonly clock?: () => number;
  readonly options?: RedisOptions;
}

/** Opens the ticket store and closes it after the test. */
export async function openUntilEnd(t: TestContext, url: string, manner: Manner = {}): Promise<RedisStore> {
  const store = manner.below ?? openNewSqlite(await temporaryFolder(t));
  const { lifetime = LIFETIME, clock = Date.now, options = PATIENT } = manner;
  const opened = await openRedis(url, { store, lifetime, clock }, options);
  afterwards(t, () => opened.close());
  return opened;
}
