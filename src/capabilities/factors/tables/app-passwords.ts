import type { AppPassword } from '../../../core/domain/app-password.ts';
import { bufferOf, type SqlRow } from '../../../engines/sql/sql.ts';
import { type Reading, statements, type UnitTable, type Writing } from '../../../engines/sql/statement.ts';

export interface AppPasswordsRead {
  find(userId: number, name: string): Promise<AppPassword | undefined>;
  findByDigest(digest: Buffer): Promise<AppPassword | undefined>;
  /** The app passwords of the user, sorted by name in the order of code points. */
  ofUser(userId: number): Promise<AppPassword[]>;
  /** Up to `limit` that expired at `now` or before, in epoch milliseconds: the first to expire first. */
  expired(now: number, limit: number): Promise<AppPassword[]>;
}

/** `rules/` decides who may have one, and ends the tickets of a removed one. */
export interface AppPasswords extends AppPasswordsRead {
  /** Adds an app password; returns false, and changes nothing, when the user has one of this name, or the digest is known. */
  add(appPassword: AppPassword): Promise<boolean>;
  /** Removes the user's app password of this name; returns whether there was one. */
  remove(userId: number, name: string): Promise<boolean>;
  /** Moves the last use forward to `at`; never back. */
  use(digest: Buffer, at: number): Promise<void>;
}

declare module '../../../core/storage/store.ts' {
  interface ReadUnit {
    readonly appPasswords: AppPasswordsRead;
  }
  interface WriteUnit {
    readonly appPasswords: AppPasswords;
  }
}

const SELECT_APP_PASSWORDS =
  'SELECT user_id, name, digest, made_at, expires_at, used_at, addresses FROM app_passwords';

const SQL = statements('app_passwords', {
  find: `${SELECT_APP_PASSWORDS} WHERE user_id = $1 AND name = $2`,
  findByDigest: `${SELECT_APP_PASSWORDS} WHERE digest = $1`,
  ofUser: `${SELECT_APP_PASSWORDS} WHERE user_id = $1 ORDER BY name`,
  expired: `${SELECT_APP_PASSWORDS} WHERE expires_at <= $1 ORDER BY expires_at LIMIT $2`,
  add: `INSERT INTO app_passwords (user_id, name, digest, made_at, expires_at, used_at, addresses)
    VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT DO NOTHING`,
  remove: 'DELETE FROM app_passwords WHERE user_id = $1 AND name = $2',
  use: 'UPDATE app_passwords SET used_at = $2 WHERE digest = $1 AND (used_at IS NULL OR used_at < $2)',
  removeOfUser: 'DELETE FROM app_passwords WHERE user_id = $1',
});

function appPasswordValues(appPassword: AppPassword): (string | number | Buffer | null)[] {
  const { userId, name, digest, madeAt, expiresAt = null, usedAt = null, addresses } = appPassword;
  return [userId, name, digest, madeAt, expiresAt, usedAt, addresses.join(' ')];
}

function toAppPassword(row: SqlRow): AppPassword {
  const addresses = row.addresses as string;
  return {
    userId: row.user_id as number,
    name: row.name as string,
    digest: bufferOf(row.digest),
    madeAt: row.made_at as number,
    expiresAt: (row.expires_at as number | null) ?? undefined,
    usedAt: (row.used_at as number | null) ?? undefined,
    addresses: addresses === '' ? [] : addresses.split(' '),
  };
}

const one = ([row]: readonly SqlRow[]) => row && toAppPassword(row);

const read = (db: Reading): AppPasswordsRead => ({
  find: async (userId, name) => one(await db.rows(SQL.find, userId, name)),
  findByDigest: async (digest) => one(await db.rows(SQL.findByDigest, digest)),
  ofUser: async (userId) => (await db.rows(SQL.ofUser, userId)).map(toAppPassword),
  expired: async (now, limit) => (await db.rows(SQL.expired, now, limit)).map(toAppPassword),
});

const write = (db: Writing): AppPasswords => ({
  ...read(db),
  add: async (appPassword) => (await db.change(SQL.add, ...appPasswordValues(appPassword))) === 1,
  remove: async (userId, name) => (await db.change(SQL.remove, userId, name)) === 1,
  use: (digest, at) => db.send(SQL.use, digest, at),
});

export const appPasswordsTable: UnitTable = {
  member: 'appPasswords',
  read,
  write,
  cached: { reads: ['findByDigest'], changes: ['add', 'remove'], changesOfFirst: ['use'] },
  removeOfUser: SQL.removeOfUser,
};
