import assert from 'node:assert/strict';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { PARTS } from '../../../../src/core/storage/transfer.ts';
import { databaseIn } from '../../../../src/engines/sqlite/data-folder.ts';
import { sqliteSource } from '../../../../src/engines/sqlite/transfer/source.ts';
import { testsOnPostgres } from '../../../service/postgres.ts';
import { temporaryFolder } from '../../../service/start.ts';
import { openPostgres, openSqlite } from '../../../service/stores.ts';
import { everythingOn, fill } from './filling.ts';

const onPostgres = await testsOnPostgres();

const copied = PARTS.flatMap(({ name, columns }) =>
  Object.keys(columns).map((column) => `${name}.${column}`),
).sort();
const MEND = 'a copy would leave it behind: name it in PARTS of src/core/storage/transfer.ts';

test('every column of every table that SQLite has is a part of a copy', async (t) => {
  const folder = await temporaryFolder(t);
  await openSqlite(folder).close();
  using db = new DatabaseSync(databaseIn(folder), { readOnly: true });
  const columns = db
    .prepare(
      `SELECT t.name || '.' || c.name AS column FROM pragma_table_list t JOIN pragma_table_info(t.name) c
       WHERE t.type = 'table' AND t.name NOT LIKE 'sqlite\\_%' ESCAPE '\\'`,
    )
    .all();
  const kept = columns.map(({ column }) => (column === 'events.user' ? 'events.user_name' : `${column}`));
  assert.deepEqual(kept.sort(), copied, MEND);
});

// Triggers fill user_search, from the users and profiles that are copied. Revocations are for the instances on the one database.
onPostgres('every column of every table that PostgreSQL has is a part of a copy', async (_t, server) => {
  const url = await server.freshDatabase();
  await (await openPostgres(url)).close();
  const columns = await server.ask(
    `SELECT table_name || '.' || column_name AS column FROM information_schema.columns
     WHERE table_schema = 'public' AND table_name NOT IN ('tessera_migrations', 'user_search', 'revocations', 'revocation_floor')`,
    url,
  );
  assert.deepEqual(columns.map(({ column }) => `${column}`).sort(), copied, MEND);
});

test('what the tests of copies copy has something in every column', async (t) => {
  const folder = await temporaryFolder(t);
  const store = openSqlite(folder);
  await fill(store);
  await store.close();
  const source = sqliteSource(folder);
  const rows = await everythingOn(source);
  await source.close();
  for (const { name, columns } of PARTS)
    for (const [place, column] of Object.keys(columns).entries())
      assert.ok(
        rows[name]?.some((row) => row[place]),
        `${name}.${column} is empty in every row: fill it in test/capabilities/migration/moving/filling.ts`,
      );
});
