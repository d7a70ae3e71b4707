import type { DatabaseSync } from 'node:sqlite';
import type { User } from '../../domain/user.ts';
import type { UserChange, Users } from '../store.ts';

/** The columns of {@link toUser}. */
export const USER_COLUMNS =
  'u.id, u.key, u.name, u.administrator, u.password_hash, u.disabled, u.locked_until, u.generation';

/** The user in a row of {@link USER_COLUMNS}. */
export function toUser(row: Record<string, unknown>): User {
  return {
    id: row.id as number,
    key: row.key as string,
    name: row.name as string,
    administrator: row.administrator === 1,
    passwordHash: (row.password_hash as string | null) ?? undefined,
    disabled: row.disabled === 1,
    lockedUntil: row.locked_until as number,
    generation: row.generation as number,
  };
}

/** The user noun over one connection; on a reading connection SQLite itself refuses the writes. */
export function usersOn(db: DatabaseSync): Users {
  const byId = db.prepare(`SELECT ${USER_COLUMNS} FROM users u WHERE id = ?`);
  const byKey = db.prepare(`SELECT ${USER_COLUMNS} FROM users u WHERE key = ?`);
  const near = db.prepare(
    `SELECT ${USER_COLUMNS} FROM users u
     WHERE id > CAST(? * (SELECT max(id) FROM users) AS INTEGER) ORDER BY id LIMIT 1`,
  );
  const all = db.prepare(`SELECT ${USER_COLUMNS} FROM users u ORDER BY key`);
  const page = db.prepare(`SELECT ${USER_COLUMNS} FROM users u WHERE key > ? ORDER BY key LIMIT ?`);
  const count = db.prepare('SELECT count(*) AS users FROM users');
  const insert = db.prepare(
    `INSERT INTO users (key, name, administrator, password_hash, disabled, locked_until, generation)
     VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT (key) DO NOTHING`,
  );
  const update = db.prepare(
    'UPDATE users SET password_hash = ?, disabled = ?, locked_until = ?, generation = ? WHERE id = ?',
  );
  const removed = db.prepare('SELECT 1 FROM removed_names WHERE key = ?');
  const remember = db.prepare('INSERT OR IGNORE INTO removed_names SELECT key FROM users WHERE id = ?');
  const rule = db.prepare('SELECT names_case_sensitive AS sensitive FROM server');
  const databaseId = db.prepare('SELECT database_id AS id FROM server');
  const setRule = db.prepare('UPDATE server SET names_case_sensitive = ?');
  const remove = db.prepare('DELETE FROM users WHERE id = ?');
  const forget = db.prepare('DELETE FROM familiar_addresses WHERE user_id = ?');

  const one = (row: Record<string, unknown> | undefined) => (row === undefined ? undefined : toUser(row));
  return {
    find: async (id) => one(byId.get(id)),
    findByKey: async (key) => one(byKey.get(key)),
    near: async (share) => one(near.get(share)),
    list: async () => all.all().map(toUser),
    page: async (after, limit) => page.all(after?.key ?? '', limit).map(toUser),
    wasRemoved: async (key) => removed.get(key) !== undefined,
    async namesCaseSensitive() {
      const sensitive = rule.get()?.sensitive ?? undefined;
      return sensitive === undefined ? undefined : sensitive === 1;
    },
    databaseId: async () => databaseId.get()?.id as string,
    count: async () => count.get()?.users as number,
    async add(user) {
      const { key, name, administrator, passwordHash, disabled, lockedUntil, generation } = user;
      const hash = passwordHash ?? null;
      const done = insert.run(
        key,
        name,
        Number(administrator),
        hash,
        Number(disabled),
        lockedUntil,
        generation,
      );
      return done.changes === 0 ? undefined : { ...user, id: Number(done.lastInsertRowid) };
    },
    async change(id, change: UserChange) {
      const old = one(byId.get(id));
      if (old === undefined) return;
      const { passwordHash, disabled, lockedUntil, generation } = { ...old, ...change };
      update.run(passwordHash ?? null, Number(disabled), lockedUntil, generation, id);
    },
    async remove(id) {
      remember.run(id);
      remove.run(id);
      forget.run(id);
    },
    async setNamesCaseSensitive(sensitive) {
      setRule.run(Number(sensitive));
    },
  };
}
