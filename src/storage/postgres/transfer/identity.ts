import type { PostgresConnection } from '../connection.ts';

/** The cluster, the database and the schema by their numbers, which a fail-over or another name of a host does not change. */
const IDENTITY = `SELECT
  (SELECT system_identifier::text FROM pg_control_system()) AS cluster,
  (SELECT oid::text FROM pg_database WHERE datname = current_database()) AS database,
  current_schema()::regnamespace::oid::text AS schema`;

/** Names the database for as long as it lives. */
export async function identityOf(connection: PostgresConnection): Promise<string> {
  const { cluster, database, schema } = (await connection.text(IDENTITY)).rows[0] ?? {};
  return `postgres:${cluster}/${database}/${schema}`;
}
