import { StoreUnavailable } from './store.ts';

/** What became of one migration of an engine's schema. */
export interface MigrationStatus {
  readonly name: string;
  readonly done: boolean;
  /** Epoch milliseconds; nothing where the engine does not note it, and while it is still to be done. */
  readonly appliedAt: number | undefined;
}

/** What is done about a database whose schema is older than this version's. One without any is always given it. */
export type WhenOlder = 'migrate' | 'refuse';

/** The refusal of a database whose schema is newer than this version knows. */
export function newerSchema(version: number, known: number): StoreUnavailable {
  return new StoreUnavailable(
    `the database has schema ${version} and this version knows ${known}: run the newer version that wrote it`,
  );
}

/** The refusal to use a database by a schema that it does not have yet. */
export function olderSchema(): StoreUnavailable {
  return new StoreUnavailable("its schema is older than this version: run 'tessera migrate up' on it first");
}
