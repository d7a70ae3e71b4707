import { readdirSync, readFileSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { databaseIn } from '../../src/engines/sqlite/data-folder.ts';
import type { Postgres } from '../service/postgres.ts';

/** A migration as its file has it. */
export interface Migration {
  readonly name: string;
  readonly text: string;
}

/** Every migration of an engine, in their order. */
export function migrationsOf(engine: 'sqlite' | 'postgres'): Migration[] {
  const folder = new URL(`../../src/engines/${engine}/migrations/`, import.meta.url);
  return readdirSync(folder)
    .sort()
    .map((name) => ({ name, text: readFileSync(new URL(name, folder), 'utf8') }));
}

const textsUpTo = (engine: 'sqlite' | 'postgres', version: number) =>
  migrationsOf(engine)
    .slice(0, version)
    .map(({ text }) => text)
    .join('\n');

/** Makes the database in `folder`, which has none, of the schema that it had at this version. */
export function olderSqlite(folder: string, version: number): void {
  using db = new DatabaseSync(databaseIn(folder));
  db.exec(`${textsUpTo('sqlite', version)}; PRAGMA user_version = ${version}`);
}

/** Makes the schema of `url` what it was at this version, whatever it is now, in one transaction. */
export async function olderPostgres(server: Postgres, url: string, version: number): Promise<void> {
  const tables = await server.ask(
    "SELECT table_name AS name FROM information_schema.tables WHERE table_schema = current_schema() AND table_type = 'BASE TABLE'",
    url,
  );
  const functions = await server.ask(
    'SELECT oid::regprocedure::text AS name FROM pg_proc WHERE pronamespace = current_schema()::regnamespace',
    url,
  );
  await server.ask(
    `${tables.map(({ name }) => `DROP TABLE ${name};`).join('\n')}
     ${functions.map(({ name }) => `DROP FUNCTION ${name};`).join('\n')}
     CREATE TABLE tessera_migrations (number bigint PRIMARY KEY, applied_at bigint NOT NULL);
     INSERT INTO tessera_migrations SELECT number, 0 FROM generate_series(1, ${version}) AS number;
     ${textsUpTo('postgres', version)}`,
    url,
  );
}
