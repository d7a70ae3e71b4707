/**
 * Moving a whole store from one engine to another, row by row: beside the port that operations see, for the command
 * line alone. A conformance file holds each engine to it.
 */

export type ColumnKind = 'number' | 'text' | 'bytes' | 'flag';

/** One kind of row. Columns stand in this order in every row; the first `key` of them tell rows apart. */
export interface TransferTable {
  readonly name: PartName;
  readonly key: number;
  readonly columns: Readonly<Record<string, ColumnKind>>;
  /** Whether rows may take another's place in something else than the key, so that what goes has to go first. */
  readonly tradesPlaces?: true;
}

export type PartName =
  | 'server'
  | 'users'
  | 'removed_names'
  | 'clients'
  | 'tickets'
  | 'attempts'
  | 'familiar_addresses'
  | 'node_stores'
  | 'nodes'
  | 'events';

export type Scalar = string | number | boolean | Buffer | null;
export type TransferRow = readonly Scalar[];

/** Everything that a store holds. */
export const PARTS: readonly TransferTable[] = [
  {
    name: 'server',
    key: 1,
    columns: { one: 'number', generation: 'number', names_case_sensitive: 'flag', database_id: 'text' },
  },
  {
    name: 'users',
    key: 1,
    columns: {
      id: 'number',
      key: 'text',
      name: 'text',
      administrator: 'flag',
      password_hash: 'text',
      disabled: 'flag',
      locked_until: 'number',
      generation: 'number',
    },
    tradesPlaces: true,
  },
  { name: 'removed_names', key: 1, columns: { key: 'text' } },
  { name: 'clients', key: 1, columns: { name: 'text', secret_digest: 'bytes', added_at: 'number' } },
  {
    name: 'tickets',
    key: 1,
    columns: {
      digest: 'bytes',
      user_id: 'number',
      user_generation: 'number',
      server_generation: 'number',
      issued_at: 'number',
      used_at: 'number',
    },
  },
  {
    name: 'attempts',
    key: 1,
    columns: {
      key: 'bytes',
      name_key: 'bytes',
      failures: 'number',
      since: 'number',
      last_failure_at: 'number',
      wait_until: 'number',
    },
  },
  {
    name: 'familiar_addresses',
    key: 2,
    columns: { user_id: 'number', address: 'text', last_login_at: 'number' },
  },
  { name: 'node_stores', key: 1, columns: { number: 'number', name: 'text' }, tradesPlaces: true },
  {
    name: 'nodes',
    key: 2,
    columns: { store: 'number', id: 'text', type: 'text', name: 'text', parent: 'text' },
    tradesPlaces: true,
  },
  {
    name: 'events',
    key: 1,
    columns: {
      id: 'number',
      at: 'number',
      kind: 'text',
      user_name: 'text',
      user_key: 'text',
      place: 'text',
      digest: 'text',
      reason: 'text',
      count: 'number',
      minute: 'number',
    },
  },
];

/** The highest ids that were ever given out, also to rows that are gone: none of them is given again. */
export interface LastIds {
  readonly users: number;
  readonly events: number;
}

/** One side of a copy. */
export interface TransferSide {
  count(part: TransferTable): Promise<number>;
  /** Up to `limit` rows after the one with this key. Numbers, bytes and UTF-8 texts go from the lowest on. */
  page(part: TransferTable, after: TransferRow | undefined, limit: number): Promise<TransferRow[]>;
  close(): Promise<void>;
}

/** What is copied, as it was at one moment, whatever is written meanwhile. */
export interface TransferSource extends TransferSide {
  /** Names this database for as long as it lives. */
  readonly identity: string;
  /** Where it is, for people: without a password. */
  readonly shown: string;
  /** Who may be writing to it; nothing when nobody can before it is closed. */
  readonly inUse: string | undefined;
  lastIds(): Promise<LastIds>;
}

/** What is copied into. Until it is finished no service opens it; closed before, it can be gone on with. */
export interface TransferTarget extends TransferSide {
  /** Removes the rows with these keys, then adds those, all of it or nothing. */
  change(part: TransferTable, removed: readonly TransferRow[], added: readonly TransferRow[]): Promise<void>;
  /** Makes the copy a database of its own, which survives a crash from then on; only `close` may follow. */
  finish(lastIds: LastIds): Promise<void>;
}

/** The key of a row. */
export function keyOf(part: TransferTable, row: TransferRow): TransferRow {
  return row.slice(0, part.key);
}

/** The names of the columns that are the key. */
export function keyColumns({ columns, key }: TransferTable): string[] {
  return Object.keys(columns).slice(0, key);
}
