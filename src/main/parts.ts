import type { Logger } from 'pino';
import type { AnyOperation } from '../operation.ts';
import type { Settings } from '../settings/table.ts';
import type { Store } from '../storage/store.ts';

/** What every part of a service is made from. */
export interface ServiceParts {
  readonly settings: Settings;
  readonly store: Store;
  readonly log: Logger;
  /** Every operation that is served. */
  readonly operations: readonly AnyOperation[];
  /** Epoch milliseconds. */
  readonly clock: () => number;
  readonly onFault: (fault: unknown, requestId?: string) => void;
}
