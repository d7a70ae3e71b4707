import type { SqlRow } from '../../../engines/sql/sql.ts';
import { type Reading, statements, type UnitTable, type Writing } from '../../../engines/sql/statement.ts';

/** What has an external id. */
export type Provisioned = 'user' | 'group';

/** The ids that another system gave to users and groups which it provisions: `externalId` of SCIM (RFC 7643 section 3.1). */
export interface ExternalIdsRead {
  /** The users or groups with this external id, by ascending ids. Case counts. */
  find(kind: Provisioned, externalId: string): Promise<number[]>;
  /** The external ids of these users or groups, of up to 1,000. One without an external id is missing. */
  of(kind: Provisioned, ids: readonly number[]): Promise<ReadonlyMap<number, string>>;
}

/** In a write unit `find` locks the set of users or of groups. A removal takes the external id along with its user or group. */
export interface ExternalIds extends ExternalIdsRead {
  /** Gives a user or a group this external id; takes its external id away if it is undefined. */
  put(kind: Provisioned, id: number, externalId: string | undefined): Promise<void>;
}

declare module '../../../core/storage/store.ts' {
  interface ReadUnit {
    readonly externalIds: ExternalIdsRead;
  }
  interface WriteUnit {
    readonly externalIds: ExternalIds;
  }
}

/** Begins a statement whose rows are for {@link toExternalIds}. */
const SELECT_EXTERNAL_IDS = 'SELECT id, external_id FROM external_ids';

const SQL = statements('external_ids', {
  find: `${SELECT_EXTERNAL_IDS} WHERE kind = $1 AND external_id = $2 ORDER BY id`,
  put: `INSERT INTO external_ids (kind, id, external_id) VALUES ($1, $2, $3)
    ON CONFLICT (kind, id) DO UPDATE SET external_id = excluded.external_id`,
  remove: 'DELETE FROM external_ids WHERE kind = $1 AND id = $2',
  of: {
    postgres: `${SELECT_EXTERNAL_IDS} WHERE kind = $1 AND id = ANY ($2::bigint[])`,
    sqlite: `${SELECT_EXTERNAL_IDS} WHERE kind = $1 AND id IN (SELECT value FROM json_each($2))`,
  },
});

function toExternalIds(rows: readonly SqlRow[]): ReadonlyMap<number, string> {
  return new Map(rows.map(({ id, external_id }) => [id as number, external_id as string]));
}

const read = (db: Reading): ExternalIdsRead => ({
  find: async (kind, externalId) => [...toExternalIds(await db.rows(SQL.find, kind, externalId)).keys()],
  of: async (kind, ids) => toExternalIds(await db.rows(SQL.of, kind, ids)),
});

const write = (db: Writing): ExternalIds => ({
  ...read(db),
  async find(kind, externalId) {
    await db.lock(kind === 'user' ? 'users' : 'groups');
    return read(db).find(kind, externalId);
  },
  async put(kind, id, externalId) {
    if (externalId === undefined) await db.send(SQL.remove, kind, id);
    else await db.send(SQL.put, kind, id, externalId);
  },
});

export const externalIdsTable: UnitTable = { member: 'externalIds', read, write };
