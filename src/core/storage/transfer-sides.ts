import type { TransferRow, TransferTable } from './transfer.ts';

/** The highest ids that were ever given out, even to rows that are removed: no id is given out again. */
export interface LastIds {
  readonly users: number;
  readonly events: number;
}

/** Where a store to copy is. */
export type StoreLocation =
  | { readonly engine: 'sqlite'; readonly folder: string }
  | { readonly engine: 'postgres'; readonly url: string; readonly password: string | undefined };

/** One side of a copy. */
export interface TransferSide {
  count(part: TransferTable): Promise<number>;
  /** Up to `limit` rows after the one with this key, ascending by numbers, bytes or UTF-8 texts. */
  page(part: TransferTable, after: TransferRow | undefined, limit: number): Promise<TransferRow[]>;
  close(): Promise<void>;
}

/** The store to copy from, as it was at one moment, whatever is written meanwhile. */
export interface TransferSource extends TransferSide {
  /** A name for this database that never changes. */
  readonly identity: string;
  /** Where it is, as messages show it: without a password. */
  readonly label: string;
  /** Who may be writing to it; undefined if no process can before it is closed. */
  readonly inUse: string | undefined;
  lastIds(): Promise<LastIds>;
}

/** The store to copy into. No service opens it until it is finished. A copy that was closed earlier can be continued. */
export interface TransferTarget extends TransferSide {
  /** Removes the rows with these keys and adds the others, all or nothing. */
  change(part: TransferTable, removed: readonly TransferRow[], added: readonly TransferRow[]): Promise<void>;
  /** Makes the copy a database that services may open and that survives a crash. Only `close` may follow. */
  finish(lastIds: LastIds): Promise<void>;
}
