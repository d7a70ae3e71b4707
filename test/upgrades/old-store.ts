import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** The engines, and whether a PostgreSQL database keeps its tickets in Redis. */
export const ENGINES = ['sqlite', 'postgres', 'redis'] as const;
export type Engine = (typeof ENGINES)[number];

/** What holds for a store that an old version made, whatever version opens it. */
export interface Expected {
  /** Tickets that are good, by the name of their user. */
  readonly live: Readonly<Record<string, string>>;
  /** Tickets that were ended: by a log-out, by disabling their user, by a new password. */
  readonly dead: readonly string[];
  /** Passwords that log in, by the name of their user. */
  readonly passwords: Readonly<Record<string, string>>;
  /** Passwords that are refused. */
  readonly refused: Readonly<Record<string, string>>;
}

/** The rows of each table, by the names of their columns. Bytes are `{ "hex": … }` in SQLite and `\x…` in PostgreSQL. */
export type Rows = Readonly<Record<string, readonly Readonly<Record<string, unknown>>[]>>;

/** A small store that an old version made. */
export interface OldStore {
  /** The number of its last migration. */
  readonly version: number;
  readonly expected: Expected;
  readonly rows: Rows;
  /** The keys of Redis with their values, as DUMP returns them, both in hexadecimal digits. */
  readonly values?: Readonly<Record<string, string>>;
}

/** The file of the store that was recorded at this version of the schema. */
export const storeFile = (engine: Engine, version: number): string =>
  fileURLToPath(new URL(`./stores/${engine}-${String(version).padStart(4, '0')}.json`, import.meta.url));

export const readStore = (engine: Engine, version: number): OldStore =>
  JSON.parse(readFileSync(storeFile(engine, version), 'utf8'));

/** The versions of the schema of which a store of this engine was recorded. */
export const versionsOf = (engine: Engine): number[] =>
  readdirSync(new URL('./stores/', import.meta.url))
    .filter((name) => name.startsWith(`${engine}-`))
    .map((name) => Number(/\d+/.exec(name)))
    .sort((a, b) => a - b);
