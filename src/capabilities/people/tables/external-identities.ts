import type { ExternalIdentity } from '../../../core/domain/external-identity.ts';
import type { SqlRow } from '../../../engines/sql/sql.ts';
import { type Reading, statements, type UnitTable, type Writing } from '../../../engines/sql/statement.ts';

export interface ExternalIdentitiesRead {
  find(provider: string, subject: string): Promise<ExternalIdentity | undefined>;
  ofUser(userId: number): Promise<ExternalIdentity | undefined>;
  /**
   * Up to `limit` identities at the provider that were checked last before this time, in epoch milliseconds: by ascending
   * ids of users after `afterUserId`.
   */
  due(provider: string, before: number, afterUserId: number, limit: number): Promise<ExternalIdentity[]>;
}

/** In a write unit `find` locks the set of users. A removal takes the identity along with its user. */
export interface ExternalIdentities extends ExternalIdentitiesRead {
  /** Adds the identity of a user, or replaces it. No other user may have the same subject. */
  put(identity: ExternalIdentity): Promise<void>;
  /** Notes that the identities of these users, of up to 1,000, were checked at this time. */
  setChecked(userIds: readonly number[], at: number): Promise<void>;
}

declare module '../../../core/storage/store.ts' {
  interface ReadUnit {
    readonly externalIdentities: ExternalIdentitiesRead;
  }
  interface WriteUnit {
    readonly externalIdentities: ExternalIdentities;
  }
}

const SELECT =
  'SELECT user_id, provider, subject, groups, checked_at, disabled_there FROM external_identities';

const SQL = statements('external_identities', {
  find: `${SELECT} WHERE provider = $1 AND subject = $2`,
  ofUser: `${SELECT} WHERE user_id = $1`,
  due: `${SELECT} WHERE provider = $1 AND checked_at < $2 AND user_id > $3 ORDER BY user_id LIMIT $4`,
  put: `INSERT INTO external_identities (user_id, provider, subject, groups, checked_at, disabled_there)
    VALUES ($1, $2, $3, $4, $5, $6)
    ON CONFLICT (user_id) DO UPDATE SET provider = excluded.provider, subject = excluded.subject,
      groups = excluded.groups, checked_at = excluded.checked_at, disabled_there = excluded.disabled_there`,
  setChecked: {
    postgres: 'UPDATE external_identities SET checked_at = $1 WHERE user_id = ANY ($2::bigint[])',
    sqlite:
      'UPDATE external_identities SET checked_at = $1 WHERE user_id IN (SELECT value FROM json_each($2))',
  },
  removeOfUser: 'DELETE FROM external_identities WHERE user_id = $1',
});

function toExternalIdentity(row: SqlRow): ExternalIdentity {
  return {
    userId: row.user_id as number,
    provider: row.provider as string,
    subject: row.subject as string,
    groups: JSON.parse(row.groups as string),
    checkedAt: row.checked_at as number,
    disabledThere: Boolean(row.disabled_there),
  };
}

const one = ([row]: readonly SqlRow[]) => row && toExternalIdentity(row);

const read = (db: Reading): ExternalIdentitiesRead => ({
  find: async (provider, subject) => one(await db.rows(SQL.find, provider, subject)),
  ofUser: async (userId) => one(await db.rows(SQL.ofUser, userId)),
  due: async (provider, before, afterUserId, limit) =>
    (await db.rows(SQL.due, provider, before, afterUserId, limit)).map(toExternalIdentity),
});

const write = (db: Writing): ExternalIdentities => ({
  ...read(db),
  async find(provider, subject) {
    await db.lock('users');
    return read(db).find(provider, subject);
  },
  put: ({ userId, provider, subject, groups, checkedAt, disabledThere }) =>
    db.send(SQL.put, userId, provider, subject, JSON.stringify(groups), checkedAt, disabledThere),
  setChecked: (userIds, at) => db.send(SQL.setChecked, at, userIds),
});

export const externalIdentitiesTable: UnitTable = {
  member: 'externalIdentities',
  read,
  write,
  removeOfUser: SQL.removeOfUser,
};
