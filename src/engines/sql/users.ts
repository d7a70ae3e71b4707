import type { Users, UsersRead } from '../../core/storage/store.ts';
import { SELECT_USERS, type SqlRow, storedLookalike, toUser, USER_REMOVAL, USERS } from './sql.ts';
import { type Reading, type Statement, statements, type Writing } from './statement.ts';
import { type UserSearch, userSearchBy } from './user-search.ts';

const SQL = statements('users', {
  ...USERS,
  findForUpdate: { postgres: `${USERS.find} FOR UPDATE`, sqlite: USERS.find },
  findByKeyForUpdate: { postgres: `${USERS.findByKey} FOR UPDATE`, sqlite: USERS.findByKey },
  near: {
    postgres: `${SELECT_USERS} WHERE id > floor($1::float8 * (SELECT max(id) FROM users)) ORDER BY id LIMIT 1`,
    sqlite: `${SELECT_USERS} WHERE id > CAST($1 * (SELECT max(id) FROM users) AS INTEGER) ORDER BY id LIMIT 1`,
  },
});

const one = ([row]: readonly SqlRow[]) => (row === undefined ? undefined : toUser(row));

function usersBy(db: Reading, search: UserSearch, find: Statement, findByKey: Statement): UsersRead {
  return {
    find: async (id) => one(await db.rows(find, id)),
    findByKey: async (key) => one(await db.rows(findByKey, key)),
    near: async (share) => one(await db.rows(SQL.near, share)),
    list: async () => (await db.rows(SQL.list)).map(toUser),
    lookalikes: async (lookalike) => (await db.rows(SQL.lookalikes, lookalike)).map(toUser),
    page: async (after, limit) => (await db.rows(SQL.page, after?.key ?? '', limit)).map(toUser),
    pageByNumber: async (skipped, limit) => (await db.rows(SQL.pageByNumber, skipped, limit)).map(toUser),
    ...userSearchBy(db, search),
    revokedSince: async (at, limit) =>
      (await db.rows(SQL.revokedSince, at, limit)).map(({ id }) => id as number),
    wasRemoved: async (key) => (await db.rows(SQL.wasRemoved, key)).length > 0,
    async namesCaseSensitive() {
      const sensitive = (await db.rows(SQL.namesCaseSensitive))[0]?.sensitive ?? undefined;
      return sensitive === undefined ? undefined : Boolean(sensitive);
    },
    databaseId: async () => (await db.rows(SQL.databaseId))[0]?.id as string,
    count: async () => (await db.rows(SQL.count))[0]?.users as number,
  };
}

/** The users of read units. */
export function usersRead(db: Reading, search: UserSearch): UsersRead {
  return usersBy(db, search, SQL.find, SQL.findByKey);
}

/** The reads that lock the set of users, present and removed, until the unit ends. */
function lockingSet(
  db: Writing,
  read: UsersRead,
): Pick<Users, 'list' | 'count' | 'lookalikes' | 'wasRemoved'> {
  return {
    async list() {
      await db.lock('users');
      return read.list();
    },
    async count() {
      await db.lock('users');
      return read.count();
    },
    async lookalikes(lookalike) {
      await db.lock('users');
      return read.lookalikes(lookalike);
    },
    async wasRemoved(key) {
      await db.lock('users');
      return read.wasRemoved(key);
    },
  };
}

/**
 * The users of one write unit, with the statements that remove what capabilities have of a user. On PostgreSQL it locks each user that it
 * finds, and all of them where it asks who there are or were.
 */
export function usersIn(db: Writing, search: UserSearch, removals: readonly Statement[]): Users {
  const locked = usersBy(db, search, SQL.findForUpdate, SQL.findByKeyForUpdate);
  return {
    ...locked,
    ...lockingSet(db, locked),
    async add(user) {
      const { key, name, administrator, passwordHash = null, disabled, lockedUntil, generation } = user;
      const { mustChangePassword, provider = '', hasSecondFactor, secondFactorAskedAt } = user;
      await db.lock('users');
      const values = [key, name, administrator, passwordHash, disabled, lockedUntil, generation];
      const signIn = [mustChangePassword, provider, hasSecondFactor, secondFactorAskedAt, user.lastLoginAt];
      const [row] = await db.rows(SQL.add, ...values, ...signIn, storedLookalike(user));
      return row && { ...user, id: row.id as number };
    },
    async change(id, change) {
      const { passwordHash = null, disabled = null, lockedUntil = null, generation = null } = change;
      const flags = [change.administrator ?? null, change.mustChangePassword ?? null];
      const provider = 'provider' in change ? (change.provider ?? '') : null;
      const factor = [change.hasSecondFactor ?? null, change.secondFactorAskedAt ?? null];
      const signIn = [provider, ...factor, change.lastLoginAt ?? null];
      const values = [passwordHash, disabled, lockedUntil, generation, ...flags, ...signIn];
      await db.send(SQL.change, id, 'passwordHash' in change, ...values);
    },
    async rename(id, name, key) {
      await db.lock('users');
      return (await db.change(SQL.rename, id, name, key, storedLookalike({ name, key }))) === 1;
    },
    async noteRevocation(id, at) {
      await db.send(SQL.noteRevocation, id, at);
    },
    async remove(id) {
      await db.lock('users');
      for (const name of USER_REMOVAL) await db.send(SQL[name], id);
      for (const statement of removals) await db.send(statement, id);
    },
    async setNamesCaseSensitive(sensitive) {
      await db.send(SQL.setNamesCaseSensitive, sensitive);
    },
  };
}
