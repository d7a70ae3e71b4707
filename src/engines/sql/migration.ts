import { StoreUnavailable } from '../../core/storage/store.ts';

/** What to do with a database whose schema is older than this version's. An empty database is always migrated. */
export type WhenOlder = 'migrate' | 'refuse';

/** The refusal of a database whose schema is newer than this version knows. */
export function newerSchema(version: number, newest: number): StoreUnavailable {
  return new StoreUnavailable(
    `the database has schema ${version} and this version knows ${newest}: run the newer version that wrote it`,
  );
}

/** The refusal to use a database by a schema that it does not have yet. */
export function olderSchema(): StoreUnavailable {
  return new StoreUnavailable("its schema is older than this version: run 'tessera migrate up' on it first");
}
