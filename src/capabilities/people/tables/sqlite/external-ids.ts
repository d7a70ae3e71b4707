import type { DatabaseSync } from 'node:sqlite';
import { prepared } from '../../../../engines/sqlite/prepare.ts';
import type { ExternalIds } from '../external-ids.ts';
import { EXTERNAL_IDS, SELECT_EXTERNAL_IDS, toExternalIds } from '../external-ids-sql.ts';

/** The external ids of users and groups over one connection; on a reading connection SQLite itself refuses the writes. */
export function externalIdsOn(db: DatabaseSync): ExternalIds {
  const sql = prepared(db, {
    ...EXTERNAL_IDS,
    of: `${SELECT_EXTERNAL_IDS} WHERE kind = $1 AND id IN (SELECT value FROM json_each($2))`,
  });
  return {
    find: async (kind, externalId) => [...toExternalIds(sql.find.all(kind, externalId)).keys()],
    of: async (kind, ids) => toExternalIds(sql.of.all(kind, JSON.stringify(ids))),
    async put(kind, id, externalId) {
      if (externalId === undefined) sql.remove.run(kind, id);
      else sql.put.run(kind, id, externalId);
    },
  };
}
