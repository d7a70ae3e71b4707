import { highestRole, type Role } from '../../core/domain/role.ts';
import type {
  ApiKeys,
  ApiKeysRead,
  Groups,
  GroupsRead,
  Profiles,
  ProfilesRead,
  Roles,
  RolesRead,
} from '../../core/storage/people.ts';
import type { UsersRead } from '../../core/storage/store.ts';
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
import { type Reading, type Statement, statement, statements } from '../sql/statement.ts';
import { type UserSearch, userSearchBy } from '../sql/user-search.ts';
import { GROUPS_KEY, USERS_KEY } from './keys.ts';
import type { PostgresWriting } from './statement.ts';

const PROFILE = statements('profiles', {
  ...PROFILES,
  ofUsers: `${SELECT_PROFILES} WHERE user_id = ANY ($1::bigint[])`,
});
const GROUP = statements('groups', GROUPS);
const ROLE = statements('roles', ROLES_SQL);
const KEY = statements('api_keys', API_KEYS);

/** Profiles, groups, roles and API keys of read units. */
export function peopleRead(db: Reading): {
  profiles: ProfilesRead;
  groups: GroupsRead;
  roles: RolesRead;
  apiKeys: ApiKeysRead;
} {
  return {
    profiles: profilesRead(db),
    groups: groupsRead(db),
    roles: rolesRead(db),
    apiKeys: apiKeysRead(db),
  };
}

/** Profiles, groups, roles and API keys of one write unit. A unit that finds or changes groups waits for other such units. */
export function peopleIn(db: PostgresWriting): {
  profiles: Profiles;
  groups: Groups;
  roles: Roles;
  apiKeys: ApiKeys;
} {
  return { profiles: profilesIn(db), groups: groupsIn(db), roles: rolesIn(db), apiKeys: apiKeysIn(db) };
}

function profilesRead(db: Reading): ProfilesRead {
  return {
    async find(userId) {
      const [row] = await db.rows(PROFILE.find, userId);
      return toProfile(row);
    },
    async ofUsers(userIds) {
      const rows = await db.rows(PROFILE.ofUsers, userIds);
      return new Map(rows.map((row) => [row.user_id as number, toProfile(row)]));
    },
  };
}

function profilesIn(db: PostgresWriting): Profiles {
  return {
    ...profilesRead(db),
    async put(userId, profile) {
      if (Object.keys(profile).length === 0) await db.send(PROFILE.remove, userId);
      else await db.send(PROFILE.put, userId, ...profileValues(profile));
    },
  };
}

const oneGroup = ([row]: readonly SqlRow[]) => row && toGroup(row);

function groupsRead(db: Reading): GroupsRead {
  return {
    find: async (id) => oneGroup(await db.rows(GROUP.find, id)),
    findByKey: async (key) => oneGroup(await db.rows(GROUP.findByKey, key)),
    page: async (prefix, after, limit) =>
      (await db.rows(GROUP.page, after?.key ?? '', prefix, endOfPrefix(prefix), limit)).map(toGroup),
    ofUser: async (userId) => (await db.rows(GROUP.ofUser, userId)).map(toGroupOfUser),
    containing: async (groupId) => (await db.rows(GROUP.containing, groupId)).map(toGroup),
    groupsIn: async (groupId) => (await db.rows(GROUP.groupsIn, groupId)).map(toGroup),
    usersIn: async (groupId, afterId, limit) =>
      (await db.rows(GROUP.usersIn, groupId, afterId, limit)).map(toUser),
  };
}

function groupsIn(db: PostgresWriting): Groups {
  const read = groupsRead(db);
  const changes = async (query: Statement, groupId: number, memberId: number) => {
    await db.hold(GROUPS_KEY);
    return (await db.change(query, groupId, memberId)) === 1;
  };
  return {
    ...read,
    async find(id) {
      await db.hold(GROUPS_KEY);
      return read.find(id);
    },
    async findByKey(key) {
      await db.hold(GROUPS_KEY);
      return read.findByKey(key);
    },
    async containing(groupId) {
      await db.hold(GROUPS_KEY);
      return read.containing(groupId);
    },
    async add(group) {
      await db.hold(GROUPS_KEY);
      const { key, name, displayName, role = '' } = group;
      const [row] = await db.rows(GROUP.add, key, name, displayName, role);
      return row && { ...group, id: row.id as number };
    },
    async change(id, change) {
      await db.hold(GROUPS_KEY);
      const role = 'role' in change ? (change.role ?? '') : null;
      await db.send(GROUP.change, id, change.displayName ?? null, role);
    },
    async remove(id) {
      await db.hold(GROUPS_KEY);
      for (const removal of [GROUP.remove, GROUP.removeUsers, GROUP.removeNesting])
        await db.send(removal, id);
    },
    addUser: (groupId, userId) => changes(GROUP.addUser, groupId, userId),
    removeUser: (groupId, userId) => changes(GROUP.removeUser, groupId, userId),
    addGroup: (groupId, memberId) => changes(GROUP.addGroup, groupId, memberId),
    removeGroup: (groupId, memberId) => changes(GROUP.removeGroup, groupId, memberId),
  };
}

const highest = (rows: readonly SqlRow[]) => highestRole(rows.map(({ role }) => role as Role));

function rolesRead(db: Reading): RolesRead {
  return {
    ownOf: async (userId) => highest(await db.rows(ROLE.ownOf, userId)),
    of: async (userId) => highest(await db.rows(ROLE.of, userId)),
    hasAdministrator: async () => (await db.rows(ROLE.hasAdministrator))[0]?.found === true,
  };
}

function rolesIn(db: PostgresWriting): Roles {
  const read = rolesRead(db);
  return {
    ...read,
    async hasAdministrator() {
      await db.hold(USERS_KEY);
      return read.hasAdministrator();
    },
    async give(userId, role) {
      if (role === undefined) await db.send(ROLE.take, userId);
      else await db.send(ROLE.give, userId, role);
    },
  };
}

const oneKey = ([row]: readonly SqlRow[]) => row && toApiKey(row);

function apiKeysRead(db: Reading): ApiKeysRead {
  return {
    find: async (name) => oneKey(await db.rows(KEY.find, name)),
    findByDigest: async (digest) => oneKey(await db.rows(KEY.findByDigest, digest)),
    list: async () => (await db.rows(KEY.list)).map(toApiKey),
  };
}

function apiKeysIn(db: PostgresWriting): ApiKeys {
  return {
    ...apiKeysRead(db),
    add: async (key) => (await db.change(KEY.add, ...apiKeyValues(key))) === 1,
    remove: async (name) => (await db.change(KEY.remove, name)) === 1,
    use: (name, at) => db.send(KEY.use, name, at),
  };
}

const SEARCH: UserSearch = {
  byIndex: (part, afterId, limit) => ({
    text: `${SELECT_USERS} JOIN users_with($1, $2, $3) AS found (id) ON found.id = u.id ORDER BY found.id`,
    values: [part, afterId, limit],
  }),
  join: 'JOIN user_search s ON s.user_id = u.id',
  containing: (part) => ({ sql: 'position(? IN s.text) > 0', values: [part] }),
};

/** Lists and counts the users that pass a filter. */
export const userSearch = (db: Reading): Pick<UsersRead, 'search' | 'countUpTo'> =>
  userSearchBy(listingOn(db, 'users'), SEARCH);

const cached = new Map<string, Statement>();

/** Runs listings of a group of statements. Each text is one statement. */
export function listingOn(db: Reading, group: string): (listing: Listing) => Promise<readonly SqlRow[]> {
  return ({ text, values }) => {
    const query = cached.get(text) ?? statement(group, `list ${cached.size}`, text);
    cached.set(text, query);
    return db.rows(query, ...values);
  };
}
