import { GROUPS_KEY, USERS_KEY } from '../../../../engines/postgres/keys.ts';
import { type Reading, statements, type Writing } from '../../../../engines/postgres/statement.ts';
import type { ExternalIds, ExternalIdsRead } from '../external-ids.ts';
import { EXTERNAL_IDS, SELECT_EXTERNAL_IDS, toExternalIds } from '../external-ids-sql.ts';

const SQL = statements('external_ids', {
  ...EXTERNAL_IDS,
  of: `${SELECT_EXTERNAL_IDS} WHERE kind = $1 AND id = ANY ($2::bigint[])`,
});

/** The external ids of users and groups, of read units. */
export function externalIdsRead(db: Reading): ExternalIdsRead {
  return {
    find: async (kind, externalId) => [...toExternalIds(await db.rows(SQL.find, kind, externalId)).keys()],
    of: async (kind, ids) => toExternalIds(await db.rows(SQL.of, kind, ids)),
  };
}

/** The external ids of users and groups, of one write unit. */
export function externalIdsIn(db: Writing): ExternalIds {
  const read = externalIdsRead(db);
  return {
    ...read,
    async find(kind, externalId) {
      await db.hold(kind === 'user' ? USERS_KEY : GROUPS_KEY);
      return read.find(kind, externalId);
    },
    async put(kind, id, externalId) {
      if (externalId === undefined) await db.send(SQL.remove, kind, id);
      else await db.send(SQL.put, kind, id, externalId);
    },
  };
}
