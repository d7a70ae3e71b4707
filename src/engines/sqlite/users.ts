import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type { Users } from '../../core/storage/store.ts';
import { SELECT_USERS, type SqlRow, storedLookalike, toUser, USER_REMOVAL, USERS } from '../sql/sql.ts';
import { userSearchOn } from './people.ts';
import { prepared } from './prepare.ts';

const STATEMENTS = {
  ...USERS,
  near: `${SELECT_USERS} WHERE id > CAST($1 * (SELECT max(id) FROM users) AS INTEGER) ORDER BY id LIMIT 1`,
};

const one = (row: SqlRow | undefined) => (row === undefined ? undefined : toUser(row));
const flag = (value: boolean | undefined) => (value === undefined ? null : Number(value));

/**
 * The users over one connection, with the statements that remove what capabilities have of a user;
 * on a reading connection SQLite itself refuses the writes.
 */
export function usersOn(db: DatabaseSync, removals: readonly StatementSync[]): Users {
  const sql = prepared(db, STATEMENTS);
  return {
    find: async (id) => one(sql.find.get(id)),
    findByKey: async (key) => one(sql.findByKey.get(key)),
    near: async (share) => one(sql.near.get(share)),
    list: async () => sql.list.all().map(toUser),
    lookalikes: async (lookalike) => sql.lookalikes.all(lookalike).map(toUser),
    page: async (after, limit) => sql.page.all(after?.key ?? '', limit).map(toUser),
    pageByNumber: async (skipped, limit) => sql.pageByNumber.all(skipped, limit).map(toUser),
    ...userSearchOn(db),
    revokedSince: async (at, limit) => sql.revokedSince.all(at, limit).map(({ id }) => id as number),
    wasRemoved: async (key) => sql.wasRemoved.get(key) !== undefined,
    async namesCaseSensitive() {
      const sensitive = sql.namesCaseSensitive.get()?.sensitive ?? undefined;
      return sensitive === undefined ? undefined : sensitive === 1;
    },
    databaseId: async () => sql.databaseId.get()?.id as string,
    count: async () => sql.count.get()?.users as number,
    async add(user) {
      const { key, name, passwordHash = null, lockedUntil, generation } = user;
      const flags = [Number(user.administrator), passwordHash, Number(user.disabled)] as const;
      const { mustChangePassword, provider = '', hasSecondFactor } = user;
      const signIn = [Number(mustChangePassword), provider, Number(hasSecondFactor)];
      const last = [user.secondFactorAskedAt, user.lastLoginAt, storedLookalike(user)];
      const row = sql.add.get(key, name, ...flags, lockedUntil, generation, ...signIn, ...last);
      return row && { ...user, id: row.id as number };
    },
    async change(id, change) {
      const { passwordHash = null, lockedUntil = null, generation = null, lastLoginAt = null } = change;
      const flags = [flag(change.administrator), flag(change.mustChangePassword)] as const;
      const provider = 'provider' in change ? (change.provider ?? '') : null;
      const times = [change.secondFactorAskedAt ?? null, lastLoginAt] as const;
      const signIn = [provider, flag(change.hasSecondFactor), ...times];
      const values = [flag(change.disabled), lockedUntil, generation, ...flags, ...signIn];
      sql.change.run(id, Number('passwordHash' in change), passwordHash, ...values);
    },
    rename: async (id, name, key) =>
      sql.rename.run(id, name, key, storedLookalike({ name, key })).changes === 1,
    noteRevocation: async (id, at) => void sql.noteRevocation.run(id, at),
    async remove(id) {
      for (const statement of [...USER_REMOVAL.map((name) => sql[name]), ...removals]) statement.run(id);
    },
    async setNamesCaseSensitive(sensitive) {
      sql.setNamesCaseSensitive.run(Number(sensitive));
    },
  };
}
