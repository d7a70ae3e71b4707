import type { TestContext } from 'node:test';
import { StoreUnavailable } from '../../../src/core/storage/store.ts';
import type { PostgresStore } from '../../../src/engines/postgres/open.ts';
import type { PostgresOptions } from '../../../src/engines/postgres/target.ts';
import { openPostgres } from '../../service/stores.ts';

/** A store on the database of `url`, closed after the test. */
export async function openUntilEnd(
  t: TestContext,
  url: string,
  options?: PostgresOptions,
): Promise<PostgresStore> {
  const store = await openPostgres(url, options);
  t.after(() => store.close());
  return store;
}

/** The message with which opening `url` fails. Throws when it opens, or fails in another way. */
export async function whyNotOpened(url: string, options?: PostgresOptions): Promise<string> {
  let store: PostgresStore;
  try {
    store = await openPostgres(url, options);
  } catch (error) {
    if (error instanceof StoreUnavailable) return error.message;
    throw error;
  }
  await store.close();
  throw new Error(`${url} was opened`);
}
