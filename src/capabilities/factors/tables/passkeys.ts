import type { Passkey, PasskeyUse } from '../../../core/domain/passkey.ts';
import { bufferOf, type SqlRow } from '../../../engines/sql/sql.ts';
import { type Reading, statements, type UnitTable, type Writing } from '../../../engines/sql/statement.ts';

export interface PasskeysRead {
  find(credentialId: Buffer): Promise<Passkey | undefined>;
  /** The passkeys of the user, the oldest first. */
  ofUser(userId: number): Promise<Passkey[]>;
}

/** `rules/` decides who may have one, and keeps `hasSecondFactor` of the user in step. */
export interface Passkeys extends PasskeysRead {
  /** Adds a passkey; returns false, and changes nothing, if there is one of this credential id. */
  add(passkey: Passkey): Promise<boolean>;
  /** Writes a use, if it is a new one (`isNewUse` of `core/domain/passkey.ts`). Returns false, and changes nothing, if it is not. */
  use(credentialId: Buffer, use: PasskeyUse): Promise<boolean>;
  /** Removes the passkey; returns whether there was one. */
  remove(credentialId: Buffer): Promise<boolean>;
}

declare module '../../../core/storage/store.ts' {
  interface ReadUnit {
    readonly passkeys: PasskeysRead;
  }
  interface WriteUnit {
    readonly passkeys: Passkeys;
  }
}

const COLUMNS =
  'credential_id, user_id, user_handle, public_key, sign_count, name, transports, made_at, used_at, challenge_at';
const SELECT = `SELECT ${COLUMNS} FROM passkeys`;

const SQL = statements('passkeys', {
  find: `${SELECT} WHERE credential_id = $1`,
  ofUser: `${SELECT} WHERE user_id = $1 ORDER BY made_at, credential_id`,
  add: `INSERT INTO passkeys (${COLUMNS}) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
    ON CONFLICT (credential_id) DO NOTHING`,
  // The condition of `isNewUse` in `core/domain/passkey.ts`.
  use: `UPDATE passkeys SET sign_count = $2, used_at = $3, challenge_at = $4
    WHERE credential_id = $1 AND challenge_at < $4 AND (sign_count < $2 OR sign_count = 0 AND $2 = 0)`,
  remove: 'DELETE FROM passkeys WHERE credential_id = $1',
  removeOfUser: 'DELETE FROM passkeys WHERE user_id = $1',
});

function passkeyValues(passkey: Passkey): (string | number | Buffer | null)[] {
  const { credentialId, userId, userHandle, publicKey, signCount } = passkey;
  const { name, transports, madeAt, usedAt = null, challengeAt } = passkey;
  const told = transports.join(' ');
  return [credentialId, userId, userHandle, publicKey, signCount, name, told, madeAt, usedAt, challengeAt];
}

/** The values of a use, behind the credential id. */
const useValues = ({ signCount, usedAt, challengeAt }: PasskeyUse) =>
  [signCount, usedAt, challengeAt] as const;

function toPasskey(row: SqlRow): Passkey {
  return {
    credentialId: bufferOf(row.credential_id),
    userId: row.user_id as number,
    userHandle: bufferOf(row.user_handle),
    publicKey: bufferOf(row.public_key),
    signCount: row.sign_count as number,
    name: row.name as string,
    transports: (row.transports as string).split(' ').filter((each) => each !== ''),
    madeAt: row.made_at as number,
    usedAt: (row.used_at as number | null) ?? undefined,
    challengeAt: row.challenge_at as number,
  };
}

const read = (db: Reading): PasskeysRead => ({
  async find(credentialId) {
    const [row] = await db.rows(SQL.find, credentialId);
    return row && toPasskey(row);
  },
  ofUser: async (userId) => (await db.rows(SQL.ofUser, userId)).map(toPasskey),
});

const write = (db: Writing): Passkeys => ({
  ...read(db),
  add: async (passkey) => (await db.change(SQL.add, ...passkeyValues(passkey))) === 1,
  use: async (credentialId, use) => (await db.change(SQL.use, credentialId, ...useValues(use))) === 1,
  remove: async (credentialId) => (await db.change(SQL.remove, credentialId)) === 1,
});

export const passkeysTable: UnitTable = { member: 'passkeys', read, write, removeOfUser: SQL.removeOfUser };
