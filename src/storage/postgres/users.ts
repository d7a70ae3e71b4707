import type { Holder, User } from '../../domain/user.ts';
import type { UserChange, Users, UsersRead } from '../store.ts';
import { USERS_KEY } from './keys.ts';
import {
  type Reading,
  type ResultRow,
  type Statement,
  statement,
  unescaped,
  type Writing,
} from './statement.ts';

/** The columns of a ticket's holder. */
export const HOLDER_COLUMNS = 'u.id, u.name, u.administrator, u.disabled, u.locked_until, u.generation';
/** The columns of {@link toUser}. */
export const USER_COLUMNS = `${HOLDER_COLUMNS}, u.key, u.password_hash`;

const SELECT = `SELECT ${USER_COLUMNS} FROM users u`;
const BY_ID = statement('users', 'find', `${SELECT} WHERE id = $1`);
const BY_KEY = statement('users', 'findByKey', `${SELECT} WHERE key = $1`);
const HELD_BY_ID = statement('users', 'hold', `${SELECT} WHERE id = $1 FOR UPDATE`);
const HELD_BY_KEY = statement('users', 'holdByKey', `${SELECT} WHERE key = $1 FOR UPDATE`);
const NEAR = statement(
  'users',
  'near',
  `${SELECT} WHERE id > floor($1::float8 * (SELECT max(id) FROM users)) ORDER BY id LIMIT 1`,
);
const LIST = statement('users', 'list', `${SELECT} ORDER BY key`);
const PAGE = statement('users', 'page', `${SELECT} WHERE key > $1 ORDER BY key LIMIT $2`);
const COUNT = statement('users', 'count', 'SELECT count(*) AS users FROM users');
const ADD = statement(
  'users',
  'add',
  `INSERT INTO users (key, name, administrator, password_hash, disabled, locked_until, generation)
   VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT (key) DO NOTHING RETURNING id`,
);
const CHANGE = statement(
  'users',
  'change',
  `UPDATE users SET password_hash = CASE WHEN $2 THEN $3 ELSE password_hash END,
     disabled = coalesce($4, disabled), locked_until = coalesce($5, locked_until), generation = coalesce($6, generation)
   WHERE id = $1`,
);
const WAS_REMOVED = statement('users', 'wasRemoved', 'SELECT FROM removed_names WHERE key = $1');
const RULE = statement('users', 'namesCaseSensitive', 'SELECT names_case_sensitive AS sensitive FROM server');
const DATABASE_ID = statement('users', 'databaseId', 'SELECT database_id AS id FROM server');
const SET_RULE = statement('users', 'setNamesCaseSensitive', 'UPDATE server SET names_case_sensitive = $1');
const REMEMBER = statement(
  'users',
  'remember',
  'INSERT INTO removed_names SELECT key FROM users WHERE id = $1 ON CONFLICT DO NOTHING',
);
const REMOVE = statement('users', 'remove', 'DELETE FROM users WHERE id = $1');
const FORGET = statement('users', 'forget', 'DELETE FROM familiar_addresses WHERE user_id = $1');

/** The holder in a row of {@link HOLDER_COLUMNS}. */
export function toHolder(row: ResultRow): Holder {
  return {
    id: row.id as number,
    name: unescaped(row.name as string),
    administrator: row.administrator as boolean,
    disabled: row.disabled as boolean,
    lockedUntil: row.locked_until as number,
    generation: row.generation as number,
  };
}

/** The user in a row of {@link USER_COLUMNS}. */
export function toUser(row: ResultRow): User {
  return {
    ...toHolder(row),
    key: unescaped(row.key as string),
    passwordHash: (row.password_hash as string | null) ?? undefined,
  };
}

const one = ([row]: readonly ResultRow[]) => (row === undefined ? undefined : toUser(row));

function usersBy(db: Reading, byId: Statement, byKey: Statement): UsersRead {
  return {
    find: async (id) => one(await db.rows(byId, id)),
    findByKey: async (key) => one(await db.rows(byKey, key)),
    near: async (share) => one(await db.rows(NEAR, share)),
    list: async () => (await db.rows(LIST)).map(toUser),
    page: async (after, limit) => (await db.rows(PAGE, after?.key ?? '', limit)).map(toUser),
    wasRemoved: async (key) => (await db.rows(WAS_REMOVED, key)).length > 0,
    namesCaseSensitive: async () => ((await db.rows(RULE))[0]?.sensitive as boolean | null) ?? undefined,
    databaseId: async () => (await db.rows(DATABASE_ID))[0]?.id as string,
    count: async () => (await db.rows(COUNT))[0]?.users as number,
  };
}

/** The user noun of read units. */
export function usersRead(db: Reading): UsersRead {
  return usersBy(db, BY_ID, BY_KEY);
}

/** Has the user of this key stay as it is until the unit ends; tells whether there is one. */
export async function holdUser(db: Writing, key: string): Promise<boolean> {
  return (await db.rows(HELD_BY_KEY, key)).length > 0;
}

/** The user noun of one write unit: a user that it finds, who there are and who was removed, stays so until it ends. */
export function usersIn(db: Writing): Users {
  const held = usersBy(db, HELD_BY_ID, HELD_BY_KEY);
  return {
    ...held,
    async list() {
      await db.hold(USERS_KEY);
      return held.list();
    },
    async count() {
      await db.hold(USERS_KEY);
      return held.count();
    },
    async wasRemoved(key) {
      await db.hold(USERS_KEY);
      return held.wasRemoved(key);
    },
    async add(user) {
      const { key, name, administrator, passwordHash, disabled, lockedUntil, generation } = user;
      await db.hold(USERS_KEY);
      const [row] = await db.rows(
        ADD,
        key,
        name,
        administrator,
        passwordHash ?? null,
        disabled,
        lockedUntil,
        generation,
      );
      return row === undefined ? undefined : { ...user, id: row.id as number };
    },
    async change(id, change: UserChange) {
      const { passwordHash = null, disabled = null, lockedUntil = null, generation = null } = change;
      await db.send(CHANGE, id, 'passwordHash' in change, passwordHash, disabled, lockedUntil, generation);
    },
    async remove(id) {
      await db.hold(USERS_KEY);
      await db.send(REMEMBER, id);
      await db.send(REMOVE, id);
      await db.send(FORGET, id);
    },
    async setNamesCaseSensitive(sensitive) {
      await db.send(SET_RULE, sensitive);
    },
  };
}
