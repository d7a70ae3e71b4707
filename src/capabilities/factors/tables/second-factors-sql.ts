import type { TotpSecret } from '../../../core/domain/second-factor.ts';
import type { SqlRow } from '../../../engines/sql/sql.ts';

// As `sql.ts`, for the secrets of authenticator apps and for recovery codes.

const SELECT_SECRETS = 'SELECT user_id, secret, made_at, last_step FROM totp_secrets';

export const TOTP_SECRETS = {
  find: `${SELECT_SECRETS} WHERE user_id = $1`,
  page: `${SELECT_SECRETS} WHERE user_id > $1 ORDER BY user_id LIMIT $2`,
  put: `INSERT INTO totp_secrets (user_id, secret, made_at, last_step) VALUES ($1, $2, $3, $4)
    ON CONFLICT (user_id) DO UPDATE
    SET secret = excluded.secret, made_at = excluded.made_at, last_step = excluded.last_step`,
  useStep: 'UPDATE totp_secrets SET last_step = $2 WHERE user_id = $1 AND last_step < $2',
  encryptAnew: 'UPDATE totp_secrets SET secret = $3 WHERE user_id = $1 AND secret = $2',
  remove: 'DELETE FROM totp_secrets WHERE user_id = $1',
} as const;

export const RECOVERY_CODES_SQL = {
  countOf: 'SELECT count(*) AS codes FROM recovery_codes WHERE user_id = $1',
  has: 'SELECT 1 FROM recovery_codes WHERE user_id = $1 AND digest = $2',
  add: 'INSERT INTO recovery_codes (user_id, digest) VALUES ($1, $2)',
  use: 'DELETE FROM recovery_codes WHERE user_id = $1 AND digest = $2',
  removeOfUser: 'DELETE FROM recovery_codes WHERE user_id = $1',
} as const;

export function totpValues({ userId, secret, madeAt, lastStep }: TotpSecret): (number | Buffer)[] {
  return [userId, secret, madeAt, lastStep];
}

export function toTotpSecret(row: SqlRow): TotpSecret {
  const { buffer, byteOffset, byteLength } = row.secret as Uint8Array;
  return {
    userId: row.user_id as number,
    secret: Buffer.from(buffer, byteOffset, byteLength),
    madeAt: row.made_at as number,
    lastStep: row.last_step as number,
  };
}
