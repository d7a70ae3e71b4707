import type { ApiKey } from '../../core/domain/api-key.ts';
import type { Group, GroupOfUser } from '../../core/domain/group.ts';
import { PROFILE_FIELDS, type Profile, type ProfileField } from '../../core/domain/profile.ts';
import type { KeyRole, Role } from '../../core/domain/role.ts';
import { UNTIL_UNLOCKED, userKey } from '../../core/domain/user.ts';
import { bufferOf, SELECT_USERS, type SqlRow } from './sql.ts';
import { type Reading, type Statement, statement } from './statement.ts';

// As `sql.ts`, for profiles, groups, roles and API keys, and for lists with filters.

const PROFILE_COLUMNS: Readonly<Record<ProfileField, string>> = {
  firstName: 'first_name',
  lastName: 'last_name',
  email: 'email',
  organization: 'organization',
  jobTitle: 'job_title',
  telephone: 'telephone',
  mobile: 'mobile',
  location: 'location',
  description: 'description',
};
const columns = PROFILE_FIELDS.map((field) => PROFILE_COLUMNS[field]);

const written = [...columns, 'searched'];

/** Begins a statement whose rows are for {@link toProfile}. */
export const SELECT_PROFILES = `SELECT user_id, ${columns.join(', ')} FROM profiles`;

export const PROFILES = {
  find: `${SELECT_PROFILES} WHERE user_id = $1`,
  put: `INSERT INTO profiles (user_id, ${written.join(', ')}) VALUES ($1, ${written.map((_, at) => `$${at + 2}`).join(', ')})
    ON CONFLICT (user_id) DO UPDATE SET ${written.map((column) => `${column} = excluded.${column}`).join(', ')}`,
  remove: 'DELETE FROM profiles WHERE user_id = $1',
} as const;

/** The values of a profile's row, behind the user's id. */
export function profileValues(profile: Profile): string[] {
  return [...PROFILE_FIELDS.map((field) => profile[field] ?? ''), searchedIn(profile)];
}

/** The text in which a search looks, beside the user's key. It is in the form of keys. */
export function searchedIn({ firstName = '', lastName = '', email = '' }: Profile): string {
  return userKey(`${firstName} ${lastName}\n${email}`);
}

export function toProfile(row: SqlRow | undefined): Profile {
  const fields = PROFILE_FIELDS.map((field) => [field, row?.[PROFILE_COLUMNS[field]]] as const);
  return Object.fromEntries(fields.filter(([, value]) => value !== undefined && value !== ''));
}

const GROUP_COLUMNS = 'g.id, g.key, g.name, g.display_name, g.role';
const SELECT_GROUPS = `SELECT ${GROUP_COLUMNS} FROM groups g`;
/**
 * The groups that contain the user `$1`. UNION drops doubles, so that it ends. Each group is read where its id is found, and SQLite
 * keeps the order of a CROSS JOIN: to find a user's few groups, both engines would otherwise read all groups.
 */
const GROUPS_OF_USER = `WITH RECURSIVE effective (id, key, name, display_name, role) AS (
    SELECT ${GROUP_COLUMNS} FROM group_users m CROSS JOIN groups g WHERE m.user_id = $1 AND g.id = m.group_id
    UNION SELECT ${GROUP_COLUMNS} FROM effective e CROSS JOIN group_groups n CROSS JOIN groups g
      WHERE n.member_id = e.id AND g.id = n.group_id)`;

export const GROUPS = {
  find: `${SELECT_GROUPS} WHERE id = $1`,
  findByKey: `${SELECT_GROUPS} WHERE key = $1`,
  page: `${SELECT_GROUPS} WHERE key > $1 AND key >= $2 AND key < $3 ORDER BY key LIMIT $4`,
  // PostgreSQL would answer NOT EXISTS from a list of all groups that are in another.
  ofUser: `${GROUPS_OF_USER} SELECT id, key, name, display_name, role,
      EXISTS (SELECT 1 FROM group_users d WHERE d.user_id = $1 AND d.group_id = e.id) AS direct,
      (SELECT 1 FROM group_groups p WHERE p.member_id = e.id LIMIT 1) IS NULL AS root
    FROM effective e ORDER BY key`,
  containing: `${SELECT_GROUPS} JOIN group_groups n ON n.group_id = g.id WHERE n.member_id = $1 ORDER BY g.key`,
  groupsIn: `${SELECT_GROUPS} JOIN group_groups n ON n.member_id = g.id WHERE n.group_id = $1 ORDER BY g.key`,
  usersIn: `${SELECT_USERS} JOIN group_users m ON m.user_id = u.id
    WHERE m.group_id = $1 AND m.user_id > $2 ORDER BY m.user_id LIMIT $3`,
  add: `INSERT INTO groups (key, name, display_name, role) VALUES ($1, $2, $3, $4)
    ON CONFLICT (key) DO NOTHING RETURNING id`,
  change:
    'UPDATE groups SET display_name = coalesce($2, display_name), role = coalesce($3, role) WHERE id = $1',
  remove: 'DELETE FROM groups WHERE id = $1',
  removeUsers: 'DELETE FROM group_users WHERE group_id = $1',
  removeNesting: 'DELETE FROM group_groups WHERE group_id = $1 OR member_id = $1',
  addUser: 'INSERT INTO group_users (group_id, user_id) VALUES ($1, $2) ON CONFLICT DO NOTHING',
  removeUser: 'DELETE FROM group_users WHERE group_id = $1 AND user_id = $2',
  addGroup: 'INSERT INTO group_groups (group_id, member_id) VALUES ($1, $2) ON CONFLICT DO NOTHING',
  removeGroup: 'DELETE FROM group_groups WHERE group_id = $1 AND member_id = $2',
} as const;

export function toGroup(row: SqlRow): Group {
  return {
    id: row.id as number,
    name: row.name as string,
    key: row.key as string,
    displayName: row.display_name as string,
    role: row.role === '' ? undefined : (row.role as Role),
  };
}

export function toGroupOfUser(row: SqlRow): GroupOfUser {
  return { ...toGroup(row), direct: Boolean(row.direct), root: Boolean(row.root) };
}

/** Behind every text that begins with `prefix`, as UTF-8 compares: no text that is stored begins with this character. */
export function endOfPrefix(prefix: string): string {
  return `${prefix}\u{10ffff}`;
}

/** Whether a user `u` has to prove who it is: any password logs in a user without a password. */
const PROVES = `(u.password_hash IS NOT NULL OR u.provider <> '')`;
/** Whether a user `u` can use its role, now or when a lock-out by failures ends. */
const CAN_ACT = `NOT u.disabled AND u.locked_until < ${UNTIL_UNLOCKED} AND ${PROVES}`;

export const ROLES_SQL = {
  ownOf: `SELECT 'administrator' AS role FROM users WHERE id = $1 AND administrator
    UNION SELECT role FROM user_roles WHERE user_id = $1`,
  of: `${GROUPS_OF_USER} SELECT r.role FROM users u JOIN (
      SELECT 'administrator' AS role FROM users WHERE id = $1 AND administrator
      UNION SELECT role FROM user_roles WHERE user_id = $1
      UNION SELECT role FROM effective WHERE role <> '') r ON true
    WHERE u.id = $1 AND ${PROVES}`,
  hasAdministrator: `WITH RECURSIVE administrators (id) AS (
      SELECT id FROM groups WHERE role = 'administrator'
      UNION SELECT n.member_id FROM group_groups n JOIN administrators a ON n.group_id = a.id)
    SELECT EXISTS (SELECT 1 FROM users u WHERE administrator AND ${CAN_ACT}) OR EXISTS (
      SELECT 1 FROM administrators a CROSS JOIN group_users m CROSS JOIN users u
      WHERE m.group_id = a.id AND u.id = m.user_id AND ${CAN_ACT}) AS found`,
  give: 'INSERT INTO user_roles VALUES ($1, $2) ON CONFLICT (user_id) DO UPDATE SET role = excluded.role',
  take: 'DELETE FROM user_roles WHERE user_id = $1',
} as const;

const SELECT_KEYS = 'SELECT name, digest, role, added_at, expires_at, used_at FROM api_keys';

export const API_KEYS = {
  find: `${SELECT_KEYS} WHERE name = $1`,
  findByDigest: `${SELECT_KEYS} WHERE digest = $1`,
  list: `${SELECT_KEYS} ORDER BY name`,
  add: `INSERT INTO api_keys (name, digest, role, added_at, expires_at, used_at) VALUES ($1, $2, $3, $4, $5, $6)
    ON CONFLICT (name) DO NOTHING`,
  remove: 'DELETE FROM api_keys WHERE name = $1',
  use: 'UPDATE api_keys SET used_at = $2 WHERE name = $1 AND (used_at IS NULL OR used_at < $2)',
} as const;

export function apiKeyValues(key: ApiKey): (string | number | Buffer | null)[] {
  const { name, digest, role, addedAt, expiresAt = null, usedAt = null } = key;
  return [name, digest, role, addedAt, expiresAt, usedAt];
}

export function toApiKey(row: SqlRow): ApiKey {
  return {
    name: row.name as string,
    digest: bufferOf(row.digest),
    role: row.role as KeyRole,
    addedAt: row.added_at as number,
    expiresAt: (row.expires_at as number | null) ?? undefined,
    usedAt: (row.used_at as number | null) ?? undefined,
  };
}

/** A condition of a list. Its placeholders are `?`. */
export interface Condition {
  readonly sql: string;
  readonly values: readonly (string | number)[];
}

/** A statement made of conditions, with the values for its placeholders. */
export interface Listing {
  readonly text: string;
  readonly values: (string | number)[];
}

/** A query in an order, with `?` for its values and for the limit. */
export function orderedQuery(select: string, conditions: readonly Condition[], order: string): string {
  const where = conditions.length === 0 ? '' : `WHERE ${conditions.map(({ sql }) => sql).join(' AND ')}`;
  return `${select} ${where} ORDER BY ${order} LIMIT ?`;
}

/** The text with a numbered placeholder for each `?`. */
export function numbered(text: string): string {
  const [first, ...rest] = text.split('?');
  return rest.reduce((sql, next, at) => `${sql}$${at + 1}${next}`, first as string);
}

const listings = new Map<string, Statement>();

/** The rows of a listing, by a statement of the group. Each text is one statement. */
export function listed(db: Reading, group: string, { text, values }: Listing): Promise<readonly SqlRow[]> {
  const query = listings.get(text) ?? statement(group, `list ${listings.size}`, text);
  listings.set(text, query);
  return db.rows(query, ...values);
}
