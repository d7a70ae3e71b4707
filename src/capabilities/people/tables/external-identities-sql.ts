import type { ExternalIdentity } from '../../../core/domain/external-identity.ts';
import type { SqlRow } from '../../../engines/sql/sql.ts';

// As `sql.ts`, for the identities of users of a directory or an identity provider.

const SELECT =
  'SELECT user_id, provider, subject, groups, checked_at, disabled_there FROM external_identities';

export const EXTERNAL_IDENTITIES = {
  find: `${SELECT} WHERE provider = $1 AND subject = $2`,
  ofUser: `${SELECT} WHERE user_id = $1`,
  due: `${SELECT} WHERE provider = $1 AND checked_at < $2 AND user_id > $3 ORDER BY user_id LIMIT $4`,
  put: `INSERT INTO external_identities (user_id, provider, subject, groups, checked_at, disabled_there)
    VALUES ($1, $2, $3, $4, $5, $6)
    ON CONFLICT (user_id) DO UPDATE SET provider = excluded.provider, subject = excluded.subject,
      groups = excluded.groups, checked_at = excluded.checked_at, disabled_there = excluded.disabled_there`,
} as const;

export function toExternalIdentity(row: SqlRow): ExternalIdentity {
  return {
    userId: row.user_id as number,
    provider: row.provider as string,
    subject: row.subject as string,
    groups: JSON.parse(row.groups as string),
    checkedAt: row.checked_at as number,
    disabledThere: Boolean(row.disabled_there),
  };
}
