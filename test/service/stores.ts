import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import * as postgres from '../../src/engines/postgres/open.ts';
import { databaseIn } from '../../src/engines/sqlite/data-folder.ts';
import { migrate } from '../../src/engines/sqlite/migrate.ts';
import * as sqlite from '../../src/engines/sqlite/open.ts';
import { TABLES } from '../../src/main/tables.ts';

type After<F extends (first: never, tables: never, ...rest: never) => unknown> = F extends (
  first: never,
  tables: never,
  ...rest: infer R
) => unknown
  ? R
  : never;

/** The bytes of a database that every migration has run on, and where its id is in them. */
interface MigratedDatabase {
  readonly bytes: Buffer;
  readonly idAt: number;
}

/** How many hexadecimal digits the id of a database has. */
const ID_DIGITS = 32;

let migrated: MigratedDatabase | undefined;

function migratedDatabase(): MigratedDatabase {
  const folder = mkdtempSync(join(tmpdir(), 'tessera-test-'));
  try {
    const file = databaseIn(folder);
    const db = new DatabaseSync(file);
    migrate(db);
    const { id } = db.prepare('SELECT database_id AS id FROM server').get() as { id: string };
    db.close();
    const bytes = readFileSync(file);
    const idAt = bytes.indexOf(id);
    assert.ok(id.length === ID_DIGITS && idAt !== -1 && bytes.indexOf(id, idAt + 1) === -1);
    return { bytes, idAt };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** The embedded store with all tables. */
export const openSqlite = (folder: string, ...rest: After<typeof sqlite.openSqlite>) =>
  sqlite.openSqlite(folder, TABLES, ...rest);

/** The same in an empty folder, for a test of what it does later: to run each migration takes ten times as long. */
export function openNewSqlite(folder: string) {
  migrated ??= migratedDatabase();
  const { bytes, idAt } = migrated;
  bytes.write(randomBytes(ID_DIGITS / 2).toString('hex'), idAt, 'latin1');
  writeFileSync(databaseIn(folder), bytes, { mode: 0o600, flag: 'wx' });
  return openSqlite(folder);
}

/** The store in PostgreSQL with all tables. */
export const openPostgres = (url: string, ...rest: After<typeof postgres.openPostgres>) =>
  postgres.openPostgres(url, TABLES, ...rest);
