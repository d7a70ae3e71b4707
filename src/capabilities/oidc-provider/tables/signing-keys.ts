import { bufferOf, type SqlRow } from '../../../engines/sql/sql.ts';
import { type Reading, statements, type UnitTable } from '../../../engines/sql/statement.ts';

/** A key that signs tokens, or did. Times are epoch milliseconds. */
export interface SigningKey {
  readonly kid: string;
  readonly alg: string;
  /** The private key, sealed. */
  readonly sealed: Buffer;
  readonly addedAt: number;
  /** Since when it signs no more; its public part is still published. */
  readonly retiredAt: number | undefined;
}

export interface SigningKeysRead {
  /** The oldest first. */
  list(): Promise<SigningKey[]>;
}

export interface SigningKeys extends SigningKeysRead {
  /** Adds a key; returns false, and changes nothing, when there is one of this `kid`. */
  add(key: SigningKey): Promise<boolean>;
  retire(kid: string, at: number): Promise<void>;
  /** Puts the same key, encrypted anew, in place of `before`. Returns false, and changes nothing, if the store has another one. */
  encryptAnew(kid: string, before: Buffer, sealed: Buffer): Promise<boolean>;
  /** Removes the keys that were retired before this time; returns how many. */
  removeRetired(before: number): Promise<number>;
}

declare module '../../../core/storage/store.ts' {
  interface ReadUnit {
    readonly signingKeys: SigningKeysRead;
  }
  interface WriteUnit {
    readonly signingKeys: SigningKeys;
  }
}

const SQL = statements('signing_keys', {
  list: 'SELECT kid, alg, sealed, added_at, retired_at FROM signing_keys ORDER BY added_at, kid',
  add: `INSERT INTO signing_keys (kid, alg, sealed, added_at, retired_at) VALUES ($1, $2, $3, $4, $5)
    ON CONFLICT (kid) DO NOTHING`,
  retire: 'UPDATE signing_keys SET retired_at = $2 WHERE kid = $1 AND retired_at IS NULL',
  encryptAnew: 'UPDATE signing_keys SET sealed = $3 WHERE kid = $1 AND sealed = $2',
  removeRetired: 'DELETE FROM signing_keys WHERE retired_at < $1',
});

const toSigningKey = (row: SqlRow): SigningKey => ({
  kid: row.kid as string,
  alg: row.alg as string,
  sealed: bufferOf(row.sealed),
  addedAt: row.added_at as number,
  retiredAt: (row.retired_at as number | null) ?? undefined,
});

const read = (db: Reading): SigningKeysRead => ({
  list: async () => (await db.rows(SQL.list)).map(toSigningKey),
});

export const signingKeysTable: UnitTable = {
  member: 'signingKeys',
  read,
  write: (db): SigningKeys => ({
    ...read(db),
    add: async ({ kid, alg, sealed, addedAt, retiredAt = null }) =>
      (await db.change(SQL.add, kid, alg, sealed, addedAt, retiredAt)) === 1,
    retire: (kid, at) => db.send(SQL.retire, kid, at),
    encryptAnew: async (kid, before, sealed) => (await db.change(SQL.encryptAnew, kid, before, sealed)) === 1,
    removeRetired: (before) => db.change(SQL.removeRetired, before),
  }),
};
