import type { SqlRow } from '../../../engines/sql/sql.ts';

// As `sql.ts`, for the external ids of users and groups.

/** Begins a statement whose rows are for {@link toExternalIds}. */
export const SELECT_EXTERNAL_IDS = 'SELECT id, external_id FROM external_ids';

export const EXTERNAL_IDS = {
  find: `${SELECT_EXTERNAL_IDS} WHERE kind = $1 AND external_id = $2 ORDER BY id`,
  put: `INSERT INTO external_ids (kind, id, external_id) VALUES ($1, $2, $3)
    ON CONFLICT (kind, id) DO UPDATE SET external_id = excluded.external_id`,
  remove: 'DELETE FROM external_ids WHERE kind = $1 AND id = $2',
} as const;

export function toExternalIds(rows: readonly SqlRow[]): ReadonlyMap<number, string> {
  return new Map(rows.map(({ id, external_id }) => [id as number, external_id as string]));
}
