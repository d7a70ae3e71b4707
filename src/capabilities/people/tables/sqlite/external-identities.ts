import type { DatabaseSync } from 'node:sqlite';
import type { ExternalIdentities } from '../../../../core/storage/people.ts';
import { prepared } from '../../../../engines/sqlite/prepare.ts';
import { EXTERNAL_IDENTITIES, toExternalIdentity } from '../external-identities-sql.ts';

/** The identities at providers over one connection. */
export function externalIdentitiesOn(db: DatabaseSync): ExternalIdentities {
  const sql = prepared(db, {
    ...EXTERNAL_IDENTITIES,
    setChecked:
      'UPDATE external_identities SET checked_at = $1 WHERE user_id IN (SELECT value FROM json_each($2))',
  });
  return {
    async find(provider, subject) {
      const row = sql.find.get(provider, subject);
      return row && toExternalIdentity(row);
    },
    async ofUser(userId) {
      const row = sql.ofUser.get(userId);
      return row && toExternalIdentity(row);
    },
    due: async (provider, before, afterUserId, limit) =>
      sql.due.all(provider, before, afterUserId, limit).map(toExternalIdentity),
    async put({ userId, provider, subject, groups, checkedAt, disabledThere }) {
      sql.put.run(userId, provider, subject, JSON.stringify(groups), checkedAt, Number(disabledThere));
    },
    async setChecked(userIds, at) {
      sql.setChecked.run(at, JSON.stringify(userIds));
    },
  };
}
