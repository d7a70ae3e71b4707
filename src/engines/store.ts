import { lifetimeIn } from '../core/settings/derived.ts';
import { passwordFrom } from '../core/settings/given.ts';
import { SettingsFaulty } from '../core/settings/read.ts';
import { type Settings, variableOf } from '../core/settings/table.ts';
import {
  type MigrationStatus,
  type OpenedStore,
  sentenceOf,
  type Use,
} from '../core/storage/opened-store.ts';
import { type Store, StoreUnavailable } from '../core/storage/store.ts';
import type { StoreLocation, TransferSource, TransferTarget } from '../core/storage/transfer-sides.ts';
import type { CopyRehearsal } from './postgres/migrate.ts';
import type { UnitTable } from './sql/statement.ts';
import { warningOfOthers } from './sqlite/data-folder.ts';
import { keepBeforeMigration } from './sqlite/migration-copy.ts';
import { openSqlite, sqliteMigrations } from './sqlite/open.ts';

/**
 * Opens the database that is set, otherwise the embedded store in the data folder, with the tables of these capabilities. If a ticket store is set, it is opened on
 * top, except for a migration.
 */
export async function openStoreWith(
  tables: readonly UnitTable[],
  settings: Settings,
  use: Use,
): Promise<OpenedStore> {
  const below = await openDatabase(tables, settings, use);
  // Only the database has a schema, and Redis may still hold tickets from before a restore.
  if (use === 'migration') return below;
  try {
    await agreeOnCase(below.store, settings.namesCaseSensitive, use !== 'command');
    if (settings.tickets === undefined) return below;
    return await openTickets(settings, settings.tickets, below, use);
  } catch (error) {
    await below.store.close();
    throw error;
  }
}

async function openDatabase(
  tables: readonly UnitTable[],
  { data, database, databasePassword, validationWait, cache, migrationCopy }: Settings,
  use: Use,
): Promise<OpenedStore> {
  const older = use === 'service' || use === 'migration' ? 'migrate' : 'refuse';
  if (database === undefined) {
    const kept = older === 'migrate' && migrationCopy ? await keepBeforeMigration(data) : undefined;
    const embedded = openSqlite(data, tables, {
      missing: use === 'command' ? 'refuse' : 'make',
      older,
      cache,
    });
    const open = use === 'service' ? warningOfOthers(data) : undefined;
    const copy =
      kept &&
      `the database before the migration is kept as ${kept}, with its password hashes: remove it when this version serves well`;
    return { store: embedded, warnings: [open, copy].filter((warning) => warning !== undefined) };
  }
  const { openPostgres } = await import('./postgres/open.ts');
  // A command lists more than a request ever reads, and does one thing after the other.
  const manner =
    use === 'service' ? { validationWait, cache } : { readers: 1, writers: 1, statementDeadline: 60_000 };
  const store = await openPostgres(
    database,
    tables,
    { password: passwordFrom(databasePassword), ...manner },
    older,
  );
  const report = async () => {
    const { version, findings } = await store.report();
    return { servers: [`PostgreSQL ${version}`], findings };
  };
  const found = use === 'service' ? await report().catch(() => undefined) : undefined;
  return { store, clock: store.clock, warnings: (found?.findings ?? []).map(sentenceOf), report };
}

async function openTickets(
  settings: Settings,
  url: string,
  below: OpenedStore,
  use: Use,
): Promise<OpenedStore> {
  const { openRedis } = await import('./redis/open.ts');
  const { clock = Date.now, warnings = [] } = below;
  const store = await openRedis(
    url,
    { store: below.store, lifetime: lifetimeIn(settings), clock },
    {
      password: passwordFrom(settings.ticketsPassword),
      replicas: settings.ticketsReplicas,
      replicaDeadline: settings.ticketsReplicaDeadline,
      validationWait: settings.validationWait,
      cache: settings.cache,
    },
  );
  const report = async () => {
    const [database, servers, findings] = await Promise.all([
      below.report?.(),
      store.versions(),
      store.findings(),
    ]);
    return {
      servers: [...(database?.servers ?? []), ...servers],
      findings: [...(database?.findings ?? []), ...findings],
    };
  };
  if (use !== 'service') return { ...below, store, report };
  // A store that stays open would keep the process alive.
  const findings = await store.findings().catch(async (error: unknown) => {
    await store.close();
    throw error;
  });
  const fault = findings.find(({ level }) => level === 'fault');
  if (fault === undefined)
    return { ...below, store, report, warnings: [...warnings, ...findings.map(sentenceOf)] };
  await store.close();
  throw new StoreUnavailable(sentenceOf(fault));
}

/**
 * Refuses a store whose users were added under the other rule of case: it would not find them, or add some a second time.
 * If there is no user yet and `mayAdd` is set, the store keeps this rule. Throws {@link SettingsFaulty}.
 */
async function agreeOnCase(store: Store, sensitive: boolean, mayAdd: boolean): Promise<void> {
  const rule = await store.read(({ users }) => users.namesCaseSensitive());
  if (rule === sensitive) return;
  const users = await store.read((unit) => unit.users.count());
  if (rule !== undefined && users > 0) throw otherRule(rule);
  if (mayAdd) await store.write((unit) => unit.users.setNamesCaseSensitive(sensitive));
}

function otherRule(storedRule: boolean): SettingsFaulty {
  const rule = storedRule ? 'differ by case' : 'do not differ by case';
  return new SettingsFaulty([
    `${variableOf('namesCaseSensitive')}: names of the users that are there ${rule}: set it to ${storedRule}`,
  ]);
}

/** Lists every migration of the store that is set, and whether it was done. Changes nothing. */
export async function migrationsOf(settings: Settings): Promise<MigrationStatus[]> {
  const { data, database, databasePassword } = settings;
  if (database === undefined) return sqliteMigrations(data);
  const { postgresMigrations } = await import('./postgres/open.ts');
  return postgresMigrations(database, { password: passwordFrom(databasePassword) });
}

/** Tries the missing migrations on a copy of the database in PostgreSQL, and takes them back. Its password is that of the settings. */
export async function rehearseOnCopy(
  url: string,
  { database = '', databasePassword }: Settings,
): Promise<CopyRehearsal> {
  const { rehearseOnPostgres } = await import('./postgres/open.ts');
  return rehearseOnPostgres(url, database, { password: passwordFrom(databasePassword) });
}

/** Opens the store at this place, to copy from it. */
export async function sourceAt(place: StoreLocation): Promise<TransferSource> {
  if (place.engine === 'sqlite') {
    const { sqliteSource } = await import('./sqlite/transfer/source.ts');
    return sqliteSource(place.folder);
  }
  const { postgresSource } = await import('./postgres/transfer/source.ts');
  return postgresSource(place.url, { password: place.password });
}

/** Opens the store to be at this place, to copy `source` into it. */
export async function targetAt(place: StoreLocation, source: TransferSource): Promise<TransferTarget> {
  if (place.engine === 'sqlite') {
    const { sqliteTarget } = await import('./sqlite/transfer/target.ts');
    return sqliteTarget(place.folder, source.identity);
  }
  const { postgresTarget } = await import('./postgres/transfer/target.ts');
  const mark = { identity: source.identity, source: source.label };
  return postgresTarget(place.url, mark, { password: place.password });
}
