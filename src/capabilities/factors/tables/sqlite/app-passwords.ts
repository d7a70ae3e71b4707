import type { DatabaseSync } from 'node:sqlite';
import { prepared } from '../../../../engines/sqlite/prepare.ts';
import type { AppPasswords } from '../app-passwords.ts';
import { APP_PASSWORDS, appPasswordValues, toAppPassword } from '../app-passwords-sql.ts';

/** The app passwords over one connection; on a reading connection SQLite itself refuses the writes. */
export function appPasswordsOn(db: DatabaseSync): AppPasswords {
  const sql = prepared(db, APP_PASSWORDS);
  return {
    async find(userId, name) {
      const row = sql.find.get(userId, name);
      return row && toAppPassword(row);
    },
    async findByDigest(digest) {
      const row = sql.findByDigest.get(digest);
      return row && toAppPassword(row);
    },
    ofUser: async (userId) => sql.ofUser.all(userId).map(toAppPassword),
    expired: async (now, limit) => sql.expired.all(now, limit).map(toAppPassword),
    add: async (appPassword) => sql.add.run(...appPasswordValues(appPassword)).changes === 1,
    remove: async (userId, name) => sql.remove.run(userId, name).changes === 1,
    async use(digest, at) {
      sql.use.run(digest, at);
    },
  };
}
