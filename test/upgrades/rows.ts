import { DatabaseSync } from 'node:sqlite';
import { databaseIn } from '../../src/engines/sqlite/data-folder.ts';
import { olderPostgres, olderSqlite } from '../engines/older-schemas.ts';
import type { Postgres } from '../service/postgres.ts';
import type { Redis } from '../service/redis.ts';
import type { OldStore, Rows } from './old-store.ts';

/** The tables that triggers write, and the one that says which migrations there were. */
const DERIVED = ['user_search', 'tessera_migrations'];

const fromBytes = (value: unknown) =>
  value instanceof Uint8Array ? { hex: Buffer.from(value).toString('hex') } : value;

function toBytes(value: unknown): string | number | null | Buffer {
  const { hex } = Object(value);
  return typeof hex === 'string' ? Buffer.from(hex, 'hex') : (value as string);
}

/** The rows of the database in this folder, and the version of its schema. */
export function sqliteRows(folder: string): Pick<OldStore, 'version' | 'rows'> {
  using db = new DatabaseSync(databaseIn(folder));
  const tables = db
    .prepare(
      "SELECT name FROM pragma_table_list WHERE type = 'table' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'",
    )
    .all();
  const rowsOf = (name: unknown) =>
    db
      .prepare(`SELECT * FROM ${name}`)
      .all()
      .map((row) =>
        Object.fromEntries(Object.entries(row).map(([column, value]) => [column, fromBytes(value)])),
      );
  const rows = Object.fromEntries(tables.map(({ name }) => [name, rowsOf(name)]));
  return { version: db.prepare('PRAGMA user_version').get()?.user_version as number, rows };
}

/** Makes the database in `folder` what it was when it was recorded. */
export function fillSqlite(folder: string, { version, rows }: OldStore): void {
  olderSqlite(folder, version);
  using db = new DatabaseSync(databaseIn(folder));
  for (const [table, recorded] of Object.entries(rows)) {
    db.exec(`DELETE FROM ${table}`);
    for (const row of recorded) {
      const columns = Object.keys(row);
      db.prepare(
        `INSERT INTO ${table} (${columns.map((name) => `"${name}"`)}) VALUES (${columns.map(() => '?')})`,
      ).run(...Object.values(row).map(toBytes));
    }
  }
}

/** The rows of a database of PostgreSQL, and the version of its schema. */
export async function postgresRows(
  server: Postgres,
  url: string,
): Promise<Pick<OldStore, 'version' | 'rows'>> {
  const tables = await server.ask(
    "SELECT table_name AS name FROM information_schema.tables WHERE table_schema = current_schema() AND table_type = 'BASE TABLE'",
    url,
  );
  const rows: Record<string, Rows[string]> = {};
  for (const { name } of tables.filter((table) => !DERIVED.includes(String(table.name)))) {
    const found = await server.ask(`SELECT to_json(t) AS row FROM ${name} t`, url);
    rows[String(name)] = found.map(({ row }) => row as Rows[string][number]);
  }
  const [last] = await server.ask('SELECT max(number)::int AS version FROM tessera_migrations', url);
  return { version: last?.version as number, rows };
}

/** Makes the database at `url` what it was when it was recorded. */
export async function fillPostgres(
  server: Postgres,
  url: string,
  { version, rows }: OldStore,
): Promise<void> {
  await olderPostgres(server, url, version);
  for (const [table, recorded] of Object.entries(rows)) {
    const json = JSON.stringify(recorded).replaceAll("'", "''");
    await server.ask(
      `DELETE FROM ${table};
       INSERT INTO ${table} OVERRIDING SYSTEM VALUE SELECT * FROM json_populate_recordset(NULL::${table}, '${json}')`,
      url,
    );
  }
  await server.ask(
    `SELECT setval(pg_get_serial_sequence(table_name, column_name), 1000)
     FROM information_schema.columns WHERE table_schema = current_schema() AND is_identity = 'YES'`,
    url,
  );
}

const TO_HEX = `local function hex(text) return (text:gsub('.', function(byte) return string.format('%02x', byte:byte()) end)) end
local lines = {}
for _, key in ipairs(redis.call('KEYS', '*')) do table.insert(lines, hex(key) .. ' ' .. hex(redis.call('DUMP', key))) end
return lines`;
const FROM_HEX = `local function bytes(hex) return (hex:gsub('%x%x', function(pair) return string.char(tonumber(pair, 16)) end)) end
return redis.call('RESTORE', bytes(ARGV[1]), 0, bytes(ARGV[2]))`;

/** All keys of a Redis with their values. */
export async function redisValues(redis: Redis): Promise<Record<string, string>> {
  const lines = (await redis.ask(['EVAL', TO_HEX, '0'])).split('\n').filter(Boolean).sort();
  return Object.fromEntries(lines.map((line) => line.split(' ') as [string, string]));
}

/** Gives a Redis the keys that were recorded. They do not expire. */
export async function fillRedis(redis: Redis, values: OldStore['values'] = {}): Promise<void> {
  for (const [key, value] of Object.entries(values)) await redis.ask(['EVAL', FROM_HEX, '0', key, value]);
}
