import { StoreUnavailable } from '../../store.ts';
import type { PostgresConnection } from '../connection.ts';
import { tableIsThere } from '../table-is-there.ts';

/** Whose half-done copy a database is. */
export interface Mark {
  readonly identity: string;
  /** For people. */
  readonly source: string;
}

/** The mark of a half-done copy, if the database has one. */
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
