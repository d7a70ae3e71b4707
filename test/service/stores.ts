import * as postgres from '../../src/engines/postgres/open.ts';
import * as sqlite from '../../src/engines/sqlite/open.ts';
import { TABLES } from '../../src/main/tables.ts';

type After<F extends (first: never, tables: never, ...rest: never) => unknown> = F extends (
  first: never,
  tables: never,
  ...rest: infer R
) => unknown
  ? R
  : never;

/** The embedded store with all tables. */
export const openSqlite = (folder: string, ...rest: After<typeof sqlite.openSqlite>) =>
  sqlite.openSqlite(folder, TABLES, ...rest);

/** The store in PostgreSQL with all tables. */
export const openPostgres = (url: string, ...rest: After<typeof postgres.openPostgres>) =>
  postgres.openPostgres(url, TABLES, ...rest);
