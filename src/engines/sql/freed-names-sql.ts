import type { FreedName } from '../../core/domain/freed-name.ts';
import type { SqlRow } from './sql.ts';

// As `sql.ts`, for freed names. Without an external id the column is empty.

export const FREED_NAMES = {
  find: 'SELECT key, user_id, external_id, free_at FROM freed_names WHERE key = $1',
  put: `INSERT INTO freed_names (key, user_id, external_id, free_at) VALUES ($1, $2, $3, $4)
    ON CONFLICT (key) DO UPDATE SET user_id = excluded.user_id, external_id = excluded.external_id, free_at = excluded.free_at`,
  sweep:
    'DELETE FROM freed_names WHERE key IN (SELECT key FROM freed_names WHERE free_at < $1 ORDER BY free_at LIMIT $2)',
} as const;

export function freedNameValues({ key, userId, externalId = '', freeAt }: FreedName): (string | number)[] {
  return [key, userId, externalId, freeAt];
}

export function toFreedName(row: SqlRow): FreedName {
  return {
    key: row.key as string,
    userId: row.user_id as number,
    externalId: row.external_id === '' ? undefined : (row.external_id as string),
    freeAt: row.free_at as number,
  };
}
