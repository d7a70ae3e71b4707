import type { ExternalIdentities, ExternalIdentitiesRead } from '../../../../core/storage/people.ts';
import { USERS_KEY } from '../../../../engines/postgres/keys.ts';
import { type Reading, statements, type Writing } from '../../../../engines/postgres/statement.ts';
import { EXTERNAL_IDENTITIES, toExternalIdentity } from '../external-identities-sql.ts';

const SQL = statements('external_identities', {
  ...EXTERNAL_IDENTITIES,
  setChecked: 'UPDATE external_identities SET checked_at = $1 WHERE user_id = ANY ($2::bigint[])',
});

/** The identities at providers, of read units. */
export function externalIdentitiesRead(db: Reading): ExternalIdentitiesRead {
  return {
    async find(provider, subject) {
      const [row] = await db.rows(SQL.find, provider, subject);
      return row && toExternalIdentity(row);
    },
    async ofUser(userId) {
      const [row] = await db.rows(SQL.ofUser, userId);
      return row && toExternalIdentity(row);
    },
    due: async (provider, before, afterUserId, limit) =>
      (await db.rows(SQL.due, provider, before, afterUserId, limit)).map(toExternalIdentity),
  };
}

/** The identities at providers, of one write unit. */
export function externalIdentitiesIn(db: Writing): ExternalIdentities {
  const read = externalIdentitiesRead(db);
  return {
    ...read,
    async find(provider, subject) {
      await db.hold(USERS_KEY);
      return read.find(provider, subject);
    },
    async put({ userId, provider, subject, groups, checkedAt, disabledThere }) {
      await db.send(SQL.put, userId, provider, subject, JSON.stringify(groups), checkedAt, disabledThere);
    },
    async setChecked(userIds, at) {
      await db.send(SQL.setChecked, at, userIds);
    },
  };
}
