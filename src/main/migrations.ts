import type { Settings } from '../settings/table.ts';
import type { MigrationStatus } from '../storage/migration.ts';
import { sqliteMigrations } from '../storage/sqlite/open.ts';
import { passwordFrom } from './password.ts';

/** Every migration of the store that is set, and whether it was done. Changes nothing. */
export async function migrationsOf(settings: Settings): Promise<MigrationStatus[]> {
  const { data, database, databasePassword } = settings;
  if (database === undefined) return sqliteMigrations(data);
  const { postgresMigrations } = await import('../storage/postgres/open.ts');
  return postgresMigrations(database, { password: passwordFrom(databasePassword) });
}
