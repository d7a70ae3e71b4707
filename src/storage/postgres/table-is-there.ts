import type { PostgresConnection } from './connection.ts';

/** Whether the schema that the connection works in has the table; one that others made just now, too. */
export async function tableIsThere(
  connection: PostgresConnection,
  name: 'tessera_migrations' | 'tessera_copy',
): Promise<boolean> {
  // By the catalogue's rows: names are looked up in a cache, which does not hear at once of what others made.
  const { rows } = await connection.text(`SELECT EXISTS (SELECT FROM pg_class
    WHERE relname = '${name}' AND relnamespace = current_schema()::regnamespace) AS there`);
  return rows[0]?.there === true;
}
