import type { TotpSecret } from '../../../core/domain/second-factor.ts';
import { bufferOf, type SqlRow } from '../../../engines/sql/sql.ts';
import { type Reading, statements, type UnitTable } from '../../../engines/sql/statement.ts';

export interface TotpSecretsRead {
  find(userId: number): Promise<TotpSecret | undefined>;
  /** Up to `limit` secrets of users after this one, by ascending ids. */
  page(afterUserId: number, limit: number): Promise<TotpSecret[]>;
}

/** `rules/` decides who may have one, and keeps `hasSecondFactor` of the user in step. */
export interface TotpSecrets extends TotpSecretsRead {
  /** Keeps the secret, in place of another one of the user. */
  put(secret: TotpSecret): Promise<void>;
  /** Moves `lastStep` forward to `step`. Returns false, and changes nothing, if it is there or further: the code was used. */
  useStep(userId: number, step: number): Promise<boolean>;
  /** Puts the same secret, encrypted anew, in place of `before`. Returns false, and changes nothing, if the store has another one. */
  encryptAnew(userId: number, before: Buffer, after: Buffer): Promise<boolean>;
  /** Removes the user's secret; returns whether there was one. */
  remove(userId: number): Promise<boolean>;
}

export interface RecoveryCodesRead {
  /** How many recovery codes the user has left. */
  countOf(userId: number): Promise<number>;
  /** Whether the user has the recovery code with this digest. */
  has(userId: number, digest: Buffer): Promise<boolean>;
}

export interface RecoveryCodes extends RecoveryCodesRead {
  /** Replaces the user's recovery codes by those with these digests. */
  put(userId: number, digests: readonly Buffer[]): Promise<void>;
  /** Removes the recovery code with this digest; returns whether there was one. */
  use(userId: number, digest: Buffer): Promise<boolean>;
}

declare module '../../../core/storage/store.ts' {
  interface ReadUnit {
    readonly totpSecrets: TotpSecretsRead;
    readonly recoveryCodes: RecoveryCodesRead;
  }
  interface WriteUnit {
    readonly totpSecrets: TotpSecrets;
    readonly recoveryCodes: RecoveryCodes;
  }
}

const SELECT_SECRETS = 'SELECT user_id, secret, made_at, last_step FROM totp_secrets';

const TOTP = statements('totp_secrets', {
  find: `${SELECT_SECRETS} WHERE user_id = $1`,
  page: `${SELECT_SECRETS} WHERE user_id > $1 ORDER BY user_id LIMIT $2`,
  put: `INSERT INTO totp_secrets (user_id, secret, made_at, last_step) VALUES ($1, $2, $3, $4)
    ON CONFLICT (user_id) DO UPDATE
    SET secret = excluded.secret, made_at = excluded.made_at, last_step = excluded.last_step`,
  useStep: 'UPDATE totp_secrets SET last_step = $2 WHERE user_id = $1 AND last_step < $2',
  encryptAnew: 'UPDATE totp_secrets SET secret = $3 WHERE user_id = $1 AND secret = $2',
  remove: 'DELETE FROM totp_secrets WHERE user_id = $1',
});

const CODES = statements('recovery_codes', {
  countOf: 'SELECT count(*) AS codes FROM recovery_codes WHERE user_id = $1',
  has: 'SELECT 1 FROM recovery_codes WHERE user_id = $1 AND digest = $2',
  add: 'INSERT INTO recovery_codes (user_id, digest) VALUES ($1, $2)',
  use: 'DELETE FROM recovery_codes WHERE user_id = $1 AND digest = $2',
  removeOfUser: 'DELETE FROM recovery_codes WHERE user_id = $1',
});

function totpValues({ userId, secret, madeAt, lastStep }: TotpSecret): (number | Buffer)[] {
  return [userId, secret, madeAt, lastStep];
}

function toTotpSecret(row: SqlRow): TotpSecret {
  return {
    userId: row.user_id as number,
    secret: bufferOf(row.secret),
    madeAt: row.made_at as number,
    lastStep: row.last_step as number,
  };
}

const totpSecretsRead = (db: Reading): TotpSecretsRead => ({
  async find(userId) {
    const [row] = await db.rows(TOTP.find, userId);
    return row && toTotpSecret(row);
  },
  page: async (afterUserId, limit) => (await db.rows(TOTP.page, afterUserId, limit)).map(toTotpSecret),
});

/** The secrets of authenticator apps. */
export const totpSecretsTable: UnitTable = {
  member: 'totpSecrets',
  read: totpSecretsRead,
  write: (db): TotpSecrets => ({
    ...totpSecretsRead(db),
    put: (secret) => db.send(TOTP.put, ...totpValues(secret)),
    useStep: async (userId, step) => (await db.change(TOTP.useStep, userId, step)) === 1,
    encryptAnew: async (userId, before, after) =>
      (await db.change(TOTP.encryptAnew, userId, before, after)) === 1,
    remove: async (userId) => (await db.change(TOTP.remove, userId)) === 1,
  }),
  removeOfUser: TOTP.remove,
};

const recoveryCodesRead = (db: Reading): RecoveryCodesRead => ({
  countOf: async (userId) => Number((await db.rows(CODES.countOf, userId))[0]?.codes ?? 0),
  has: async (userId, digest) => (await db.rows(CODES.has, userId, digest)).length > 0,
});

export const recoveryCodesTable: UnitTable = {
  member: 'recoveryCodes',
  read: recoveryCodesRead,
  write: (db): RecoveryCodes => ({
    ...recoveryCodesRead(db),
    async put(userId, digests) {
      await db.send(CODES.removeOfUser, userId);
      for (const digest of digests) await db.send(CODES.add, userId, digest);
    },
    use: async (userId, digest) => (await db.change(CODES.use, userId, digest)) === 1,
  }),
  removeOfUser: CODES.removeOfUser,
};
