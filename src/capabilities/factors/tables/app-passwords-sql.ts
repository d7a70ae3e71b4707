import type { AppPassword } from '../../../core/domain/app-password.ts';
import type { SqlRow } from '../../../engines/sql/sql.ts';

// As `sql.ts`, for app passwords.

const SELECT_APP_PASSWORDS =
  'SELECT user_id, name, digest, made_at, expires_at, used_at, addresses FROM app_passwords';

export const APP_PASSWORDS = {
  find: `${SELECT_APP_PASSWORDS} WHERE user_id = $1 AND name = $2`,
  findByDigest: `${SELECT_APP_PASSWORDS} WHERE digest = $1`,
  ofUser: `${SELECT_APP_PASSWORDS} WHERE user_id = $1 ORDER BY name`,
  expired: `${SELECT_APP_PASSWORDS} WHERE expires_at <= $1 ORDER BY expires_at LIMIT $2`,
  add: `INSERT INTO app_passwords (user_id, name, digest, made_at, expires_at, used_at, addresses)
    VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT DO NOTHING`,
  remove: 'DELETE FROM app_passwords WHERE user_id = $1 AND name = $2',
  use: 'UPDATE app_passwords SET used_at = $2 WHERE digest = $1 AND (used_at IS NULL OR used_at < $2)',
} as const;

export function appPasswordValues(appPassword: AppPassword): (string | number | Buffer | null)[] {
  const { userId, name, digest, madeAt, expiresAt = null, usedAt = null, addresses } = appPassword;
  return [userId, name, digest, madeAt, expiresAt, usedAt, addresses.join(' ')];
}

export function toAppPassword(row: SqlRow): AppPassword {
  const { buffer, byteOffset, byteLength } = row.digest as Uint8Array;
  const addresses = row.addresses as string;
  return {
    userId: row.user_id as number,
    name: row.name as string,
    digest: Buffer.from(buffer, byteOffset, byteLength),
    madeAt: row.made_at as number,
    expiresAt: (row.expires_at as number | null) ?? undefined,
    usedAt: (row.used_at as number | null) ?? undefined,
    addresses: addresses === '' ? [] : addresses.split(' '),
  };
}
