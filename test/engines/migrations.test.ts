import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { databaseIn } from '../../src/engines/sqlite/data-folder.ts';
import { testsOnPostgres } from '../service/postgres.ts';
import { temporaryFolder } from '../service/start.ts';
import { openPostgres, openSqlite } from '../service/stores.ts';
import { type Migration, migrationsOf, olderPostgres, olderSqlite } from './older-schemas.ts';

const onPostgres = await testsOnPostgres();

/** What each migration says, by the beginning of its SHA-256. */
const SAYS: Readonly<Record<'sqlite' | 'postgres', readonly string[]>> = {
  sqlite: [
    'ecca11a35dc2ce01',
    '89bbe1805ef738fe',
    'c78e33026d634a8a',
    'f6e64551418c6970',
    '7a97c8ad8e4e509f',
    'c1e0475fed4f9513',
    '21acae6af88ecf60',
    'd4f4f0f7e7e98c76',
    '6f81b436f9363d4e',
    '812de57e5ccfcd9d',
    '4e094c182841a150',
    'c911ce6fe1190858',
    '53c8f50d87859740',
    '87b7863ad9d99a8d',
    'fb561f5015beb917',
    '6ba01678375dab2f',
    '9c191ddb777b41d2',
    'a6202d930aef421f',
    '1c20e4744bfec6e2',
    'eb4e4e0081e52115',
    '1e3c61ff591f948a',
    '3628f30b25aad964',
    'd9d43e125023ad91',
    'cffa2ce50d305de3',
    '1255f8467be5af68',
  ],
  postgres: [
    '3a934fb9ef48a8f6',
    'b05e70c34c99497b',
    '5aaf5519067ccd97',
    '4fb01c615c823e32',
    '43b2e453907192df',
    '0b2eb3a0a653cb91',
    '4894e0b31ccfc2c2',
    'c783e50165fd8df4',
    '72b0085e3fafc68a',
    '0d57cec183d89e91',
    '1826b6011af0ef22',
    '0c15ac9d37ee82e6',
    'bd41460f1fcae08d',
    'daec3703c31ba6f1',
    '6b69042de7234cd0',
    '2d180f3f4bfca03b',
    'f72bc247872a86d7',
    'e65fbd44038da170',
    'bd747ff5ba4ba080',
    '56b5e69796e44007',
    '7586224e1a021393',
    '06b015fcc02e5870',
    'f0b648cef94a371a',
    '2f2539297935e722',
    '84c7441461972cd6',
    '3a62e956d00472d7',
  ],
};

const saidBy = ({ text }: Migration) => createHash('sha256').update(text).digest('hex').slice(0, 16);

for (const engine of ['sqlite', 'postgres'] as const) {
  test(`a migration of ${engine} says for ever what it said: databases had it, and never have it again`, () => {
    for (const [index, migration] of migrationsOf(engine).entries()) {
      const { name } = migration;
      assert.ok(name.startsWith(`${String(index + 1).padStart(4, '0')}.`), `${name} leaves a number out`);
      const mend =
        SAYS[engine][index] === undefined
          ? `write '${saidBy(migration)}' for it into SAYS, and never change it again`
          : 'put back what it said, and say what is new in a migration behind the last one';
      assert.equal(saidBy(migration), SAYS[engine][index], `${engine}/migrations/${name}: ${mend}`);
    }
    assert.equal(SAYS[engine].length, migrationsOf(engine).length, 'a migration that databases had is gone');
  });
}

type Ask = (sql: string) => Promise<Record<string, unknown>[]>;
type Tables = ReadonlyMap<string, readonly { readonly column: string; readonly type: string }[]>;

/** The columns of each table, by what the engine tells of them. */
async function tablesIn(ask: Ask, columns: string): Promise<Tables> {
  const found = (await ask(columns)).map((row) => row as Record<'name' | 'column' | 'type', string>);
  return Map.groupBy(found, ({ name }) => name);
}

/** The `n`th value of a column, as SQL. */
function literal(column: string, type: string, n: number): string {
  if (/int/i.test(type)) return `${100 + n}`;
  if (/text/i.test(type)) return `'${column} ${n}'`;
  if (/bool/i.test(type)) return n === 1 ? 'true' : 'false';
  const bytes = `${n}`.padStart(64, '0');
  return /blob/i.test(type) ? `x'${bytes}'` : `'\\x${bytes}'`;
}

/** Adds the `n`th row to each of these tables. */
async function addRow(ask: Ask, tables: Tables, n: number): Promise<void> {
  for (const [name, columns] of tables) {
    const names = columns.map(({ column }) => `"${column}"`).join(', ');
    const values = columns.map(({ column, type }) => literal(column, type, n)).join(', ');
    await ask(`INSERT INTO ${name} (${names}) VALUES (${values})`);
  }
}

/** Those of the tables that a fresh database has no row in. */
async function emptyAmong(ask: Ask, tables: Tables): Promise<Tables> {
  const empty = new Map(tables);
  for (const name of tables.keys()) if ((await ask(`SELECT 1 FROM ${name}`)).length > 0) empty.delete(name);
  return empty;
}

/** What the rows of these tables say in these columns, in a steady order. */
async function rowsOf(ask: Ask, tables: Tables): Promise<Record<string, string[]>> {
  const all: Record<string, string[]> = {};
  for (const [name, columns] of tables) {
    const rows = await ask(`SELECT ${columns.map(({ column }) => `"${column}"`).join(', ')} FROM ${name}`);
    all[name] = rows.map((row) => JSON.stringify(row)).sort();
  }
  return all;
}

const LOST = 'the steps from there on lost or changed what was in it';

/** Fills a database of an older schema, has it opened, and looks whether it still says the same. */
async function holdToRows(ask: Ask, columns: string, open: () => Promise<void>, version: number) {
  const tables = await tablesIn(ask, columns);
  assert.ok(tables.size > 5);
  const empty = await emptyAmong(ask, tables);
  for (const n of [1, 2]) await addRow(ask, empty, n);
  const before = await rowsOf(ask, tables);
  await open();
  assert.deepEqual(await rowsOf(ask, tables), before, `schema ${version}: ${LOST}`);
  return empty;
}

/** The oldest schema whose instances serve on beside those of this version. Raised, the changelog says what to do. */
const BORNE_FROM = 1;

test('a SQLite database of every older schema keeps its rows when it is opened', async (t) => {
  for (let version = 1; version < migrationsOf('sqlite').length; version += 1) {
    const folder = await temporaryFolder(t);
    olderSqlite(folder, version);
    const ask: Ask = async (sql) => {
      using db = new DatabaseSync(databaseIn(folder));
      return db.prepare(sql).all();
    };
    const columns = `SELECT t.name, c.name AS "column", c.type FROM pragma_table_list t JOIN pragma_table_info(t.name) c
      WHERE t.type = 'table' AND t.name NOT LIKE 'sqlite\\_%' ESCAPE '\\'`;
    await holdToRows(ask, columns, () => openSqlite(folder).close(), version);
  }
});

onPostgres(
  'a PostgreSQL database of every older schema keeps its rows when it is opened, and who served it writes on',
  async (_t, server) => {
    for (let version = 1; version < migrationsOf('postgres').length; version += 1) {
      const url = await server.freshSchema();
      await olderPostgres(server, url, version);
      // Triggers write user_search and what was revoked.
      const columns = `SELECT table_name AS name, column_name AS "column", data_type AS type FROM information_schema.columns
      WHERE table_schema = current_schema() AND table_name NOT IN ('tessera_migrations', 'user_search', 'revocations', 'revocation_floor')`;
      const open = async () => (await openPostgres(url)).close();
      const ask: Ask = (sql) => server.ask(sql, url);
      const tables = await holdToRows(ask, columns, open, version);
      if (version >= BORNE_FROM) await addRow(ask, tables, 3);
    }
  },
);
