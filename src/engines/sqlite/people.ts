import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { highestRole, type Role } from '../../core/domain/role.ts';
import { userKey } from '../../core/domain/user.ts';
import type { ApiKeys, Groups, Profiles, Roles } from '../../core/storage/people.ts';
import type { Users } from '../../core/storage/store.ts';
import {
  API_KEYS,
  apiKeyValues,
  endOfPrefix,
  GROUPS,
  type Listing,
  PROFILES,
  profileValues,
  ROLES_SQL,
  SELECT_PROFILES,
  toApiKey,
  toGroup,
  toGroupOfUser,
  toProfile,
} from '../sql/people-sql.ts';
import { SELECT_USERS, type SqlRow, toUser } from '../sql/sql.ts';
import { type UserSearch, userSearchBy } from '../sql/user-search.ts';
import { prepared } from './prepare.ts';

/** Profiles, groups, roles and API keys over one connection; on a reading connection SQLite itself refuses the writes. */
export function peopleOn(db: DatabaseSync): {
  profiles: Profiles;
  groups: Groups;
  roles: Roles;
  apiKeys: ApiKeys;
} {
  return { profiles: profilesOn(db), groups: groupsOn(db), roles: rolesOn(db), apiKeys: apiKeysOn(db) };
}

function profilesOn(db: DatabaseSync): Profiles {
  const sql = prepared(db, {
    ...PROFILES,
    ofUsers: `${SELECT_PROFILES} WHERE user_id IN (SELECT value FROM json_each($1))`,
  });
  return {
    find: async (userId) => toProfile(sql.find.get(userId)),
    async ofUsers(userIds) {
      const rows = sql.ofUsers.all(JSON.stringify(userIds));
      return new Map(rows.map((row) => [row.user_id as number, toProfile(row)]));
    },
    async put(userId, profile) {
      if (Object.keys(profile).length === 0) sql.remove.run(userId);
      else sql.put.run(userId, ...profileValues(profile));
    },
  };
}

function groupsOn(db: DatabaseSync): Groups {
  const sql = prepared(db, GROUPS);
  return {
    async find(id) {
      const row = sql.find.get(id);
      return row && toGroup(row);
    },
    async findByKey(key) {
      const row = sql.findByKey.get(key);
      return row && toGroup(row);
    },
    page: async (prefix, after, limit) =>
      sql.page.all(after?.key ?? '', prefix, endOfPrefix(prefix), limit).map(toGroup),
    ofUser: async (userId) => sql.ofUser.all(userId).map(toGroupOfUser),
    containing: async (groupId) => sql.containing.all(groupId).map(toGroup),
    groupsIn: async (groupId) => sql.groupsIn.all(groupId).map(toGroup),
    usersIn: async (groupId, afterId, limit) => sql.usersIn.all(groupId, afterId, limit).map(toUser),
    async add(group) {
      const row = sql.add.get(group.key, group.name, group.displayName, group.role ?? '');
      return row && { ...group, id: row.id as number };
    },
    async change(id, change) {
      sql.change.run(id, change.displayName ?? null, 'role' in change ? (change.role ?? '') : null);
    },
    async remove(id) {
      sql.remove.run(id);
      sql.removeUsers.run(id);
      sql.removeNesting.run(id);
    },
    addUser: async (groupId, userId) => sql.addUser.run(groupId, userId).changes === 1,
    removeUser: async (groupId, userId) => sql.removeUser.run(groupId, userId).changes === 1,
    addGroup: async (groupId, memberId) => sql.addGroup.run(groupId, memberId).changes === 1,
    removeGroup: async (groupId, memberId) => sql.removeGroup.run(groupId, memberId).changes === 1,
  };
}

function rolesOn(db: DatabaseSync): Roles {
  const sql = prepared(db, ROLES_SQL);
  const highest = (rows: readonly Readonly<Record<string, unknown>>[]) =>
    highestRole(rows.map(({ role }) => role as Role));
  return {
    ownOf: async (userId) => highest(sql.ownOf.all(userId)),
    of: async (userId) => highest(sql.of.all(userId)),
    hasAdministrator: async () => sql.hasAdministrator.get()?.found === 1,
    async give(userId, role) {
      if (role === undefined) sql.take.run(userId);
      else sql.give.run(userId, role);
    },
  };
}

function apiKeysOn(db: DatabaseSync): ApiKeys {
  const sql = prepared(db, API_KEYS);
  return {
    async find(name) {
      const row = sql.find.get(name);
      return row && toApiKey(row);
    },
    async findByDigest(digest) {
      const row = sql.findByDigest.get(digest);
      return row && toApiKey(row);
    },
    list: async () => sql.list.all().map(toApiKey),
    add: async (key) => sql.add.run(...apiKeyValues(key)).changes === 1,
    remove: async (name) => sql.remove.run(name).changes === 1,
    async use(name, at) {
      sql.use.run(name, at);
    },
  };
}

/**
 * A text for FTS5, to be found as it is: in quotes it has no operators. FTS5 ends a text at U+0000, so another character that
 * no text has replaces it.
 */
const quoted = (text: string) => `"${text.replaceAll('"', '""').replaceAll('\0', '\u{10ffff}')}"`;

/** A part of at least this many characters is looked up by every third gram: that leaves few wrong users. */
const LONG = 9;

/** Every third gram of a long part: FTS5 reads all users of each gram, so fewer grams cost less. */
function everyThirdGram(characters: readonly string[]): string {
  const last = characters.length - 3;
  const starts = Array.from({ length: Math.ceil(characters.length / 3) }, (_, at) => Math.min(3 * at, last));
  return starts.map((at) => quoted(characters.slice(at, at + 3).join(''))).join(' ');
}

const PROFILES_OF_USERS = 'LEFT JOIN profiles p ON p.user_id = u.id';
const containing = (value: string) =>
  `instr(user_key(u.key) || char(10) || coalesce(p.searched, ''), ${value}) > 0`;

// FTS5 begins at an id only if that is an integer, and numbers of JavaScript are none.
const BY_INDEX = `WHERE user_search MATCH $1 AND user_search.rowid > CAST($2 AS INTEGER)`;
const JOINED = `${SELECT_USERS} JOIN user_search ON user_search.rowid = u.id`;

const SEARCH: UserSearch = {
  byIndex(part, afterId, limit) {
    const characters = [...part];
    if (characters.length < LONG)
      return {
        text: `${JOINED} ${BY_INDEX} ORDER BY user_search.rowid LIMIT $3`,
        values: [quoted(part), afterId, limit],
      };
    return {
      text: `${JOINED} ${PROFILES_OF_USERS} ${BY_INDEX} AND ${containing('$4')} ORDER BY user_search.rowid LIMIT $3`,
      values: [everyThirdGram(characters), afterId, limit, part],
    };
  },
  join: PROFILES_OF_USERS,
  containing: (part) => ({ sql: containing('?'), values: [part] }),
};

/** Lists and counts the users that pass a filter, over one connection. */
export function userSearchOn(db: DatabaseSync): Pick<Users, 'search' | 'countUpTo'> {
  // Keys keep the case of names where it counts.
  db.function('user_key', { deterministic: true }, (key) => userKey(key as string));
  return userSearchBy(listingOn(db), SEARCH);
}

/** Runs listings over one connection. Each text is prepared once. */
export function listingOn(db: DatabaseSync): (listing: Listing) => SqlRow[] {
  const statements = new Map<string, StatementSync>();
  return ({ text, values }) => {
    const statement = statements.get(text) ?? db.prepare(text.replaceAll('$', '?'));
    statements.set(text, statement);
    return statement.all(...values);
  };
}
