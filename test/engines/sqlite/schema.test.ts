import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { temporaryFolder } from '../../service/start.ts';
import { openSqlite } from '../../service/stores.ts';
import { databaseIn } from './folder.ts';

/** The schema that all migrations together make. A new migration changes this file; an old one never does. */
const SCHEMA = new URL('./schema.sql', import.meta.url);

function schemaOf(file: string): string {
  const db = new DatabaseSync(file, { readOnly: true });
  const number = (name: string) => Object.values(db.prepare(`PRAGMA ${name}`).get() ?? {})[0];
  const objects = db
    .prepare(
      `SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY name`,
    )
    .all();
  const lines = [
    `PRAGMA application_id = ${number('application_id')};`,
    `PRAGMA user_version = ${number('user_version')};`,
    ...objects.map(({ sql }) => `${sql};`),
  ];
  db.close();
  return `${lines.join('\n')}\n`;
}

test('a new folder gets the schema that is written down', async (t) => {
  const folder = await temporaryFolder(t);
  await openSqlite(folder).close();
  assert.equal(schemaOf(databaseIn(folder)), readFileSync(SCHEMA, 'utf8'));
});

test('opening again changes nothing about the schema', async (t) => {
  const folder = await temporaryFolder(t);
  await openSqlite(folder).close();
  const before = readFileSync(databaseIn(folder));
  await openSqlite(folder).close();
  assert.deepEqual(readFileSync(databaseIn(folder)), before);
});
