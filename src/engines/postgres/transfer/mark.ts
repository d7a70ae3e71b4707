import { StoreUnavailable } from '../../../core/storage/store.ts';
import type { PostgresConnection } from '../connection.ts';
import { tableIsThere } from '../migrate.ts';

/** The numbers of the cluster, the database and the schema: a fail-over or another host name does not change them. */
const IDENTITY = `SELECT
  (SELECT system_identifier::text FROM pg_control_system()) AS cluster,
  (SELECT oid::text FROM pg_database WHERE datname = current_database()) AS database,
  current_schema()::regnamespace::oid::text AS schema`;

/** A name for the database that never changes. */
export async function identityOf(connection: PostgresConnection): Promise<string> {
  const { cluster, database, schema } = (await connection.text(IDENTITY)).rows[0] ?? {};
  return `postgres:${cluster}/${database}/${schema}`;
}

/** Of which source a database is the half-done copy. */
export interface Mark {
  readonly identity: string;
  /** The source as messages show it. */
  readonly source: string;
}

/** The mark of a half-done copy; undefined if the database has none. */
export async function markOf(connection: PostgresConnection): Promise<Mark | undefined> {
  if (!(await tableIsThere(connection, 'tessera_copy'))) return undefined;
  const { rows } = await connection.text('SELECT identity, source FROM tessera_copy');
  return rows[0] as unknown as Mark | undefined;
}

/** Throws {@link StoreUnavailable} while the database is the half-done copy of another. */
export async function refuseHalfCopy(connection: PostgresConnection): Promise<void> {
  const mark = await markOf(connection);
  if (mark === undefined) return;
  throw new StoreUnavailable(
    `it is the half-done copy of ${mark.source}: give the copy command again, or make the database anew`,
  );
}
