import { type Reading, statements, type Writing } from '../../../../engines/postgres/statement.ts';
import type { SqlRow } from '../../../../engines/sql/sql.ts';
import type { AppPasswords, AppPasswordsRead } from '../app-passwords.ts';
import { APP_PASSWORDS, appPasswordValues, toAppPassword } from '../app-passwords-sql.ts';

const SQL = statements('app_passwords', APP_PASSWORDS);

const one = ([row]: readonly SqlRow[]) => row && toAppPassword(row);

/** The app passwords of read units. */
export function appPasswordsRead(db: Reading): AppPasswordsRead {
  return {
    find: async (userId, name) => one(await db.rows(SQL.find, userId, name)),
    findByDigest: async (digest) => one(await db.rows(SQL.findByDigest, digest)),
    ofUser: async (userId) => (await db.rows(SQL.ofUser, userId)).map(toAppPassword),
    expired: async (now, limit) => (await db.rows(SQL.expired, now, limit)).map(toAppPassword),
  };
}

/** The app passwords of one write unit. */
export function appPasswordsIn(db: Writing): AppPasswords {
  return {
    ...appPasswordsRead(db),
    add: async (appPassword) => (await db.change(SQL.add, ...appPasswordValues(appPassword))) === 1,
    remove: async (userId, name) => (await db.change(SQL.remove, userId, name)) === 1,
    use: (digest, at) => db.send(SQL.use, digest, at),
  };
}
