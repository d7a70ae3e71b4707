import { StoreUnavailable } from '../../store.ts';
import type { Connection } from '../connection.ts';

/** Whose half-done copy a database is. */
export interface Mark {
  readonly identity: string;
  /** For people. */
  readonly source: string;
}

// By the catalogue's rows: names are looked up in a cache, which does not hear at once of what others made.
const THERE = `SELECT EXISTS (SELECT FROM pg_class
  WHERE relname = 'tessera_copy' AND relnamespace = current_schema()::regnamespace) AS there`;

/** The mark of a half-done copy, if the database has one. */
export async function markOf(connection: Connection): Promise<Mark | undefined> {
  const { rows: found } = await connection.text(THERE);
  if (!found[0]?.there) return undefined;
  const { rows } = await connection.text('SELECT identity, source FROM tessera_copy');
  return rows[0] as unknown as Mark | undefined;
}

/** Throws {@link StoreUnavailable} while the database is the half-done copy of another. */
export async function refuseHalfCopy(connection: Connection): Promise<void> {
  const mark = await markOf(connection);
  if (mark === undefined) return;
  throw new StoreUnavailable(
    `it is the half-done copy of ${mark.source}: give the copy command again, or make the database anew`,
  );
}
