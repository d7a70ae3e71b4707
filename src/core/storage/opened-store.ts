import type { Finding } from '../domain/finding.ts';
import type { Store } from './store.ts';

/** The store that is set, opened, with what the operator should know about it. */
export interface OpenedStore {
  readonly store: Store;
  /** Epoch milliseconds, if all instances use the clock of the engine. */
  readonly clock?: () => number;
  readonly warnings?: readonly string[];
  /** Asks the servers of the store what they are, and which accidents lose what they keep. Missing for the embedded store. */
  readonly report?: () => Promise<StoreReport>;
}

/** The versions and the findings of the servers of a store. */
export interface StoreReport {
  /** Each kind of server with its version, such as `PostgreSQL 17.2`. */
  readonly servers: readonly string[];
  readonly findings: readonly Finding[];
}

/** A finding in one sentence. */
export const sentenceOf = ({ what, mend }: Finding): string => `${what}: ${mend}`;

/** A migration of an engine's schema, and whether it was applied. */
export interface MigrationStatus {
  readonly name: string;
  readonly done: boolean;
  /** Epoch milliseconds; undefined where the engine does not record it, and until the migration is applied. */
  readonly appliedAt: number | undefined;
}

/**
 * Who uses the store. A command does not migrate an older schema but is refused: it may only be run to look, and a migration
 * cannot be undone. If the embedded store is missing, a command that adds makes it, and any other command is refused: its
 * folder is the wrong one.
 */
export type Use = 'service' | 'command' | 'adding' | 'migration';
