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
import type { Clients, ClientsRead } from '../../core/storage/store.ts';
import {
  API_KEYS,
  apiKeyValues,
  endOfPrefix,
  GROUPS,
  PROFILES,
  profileValues,
  ROLES_SQL,
  SELECT_PROFILES,
  toApiKey,
  toGroup,
  toGroupOfUser,
  toProfile,
} from './people-sql.ts';
import { CLIENTS, type SqlRow, secretColumn, toClient, toUser } from './sql.ts';
import { type Reading, type Statement, statements, type Writing } from './statement.ts';

const PROFILE = statements('profiles', {
  ...PROFILES,
  ofUsers: {
    postgres: `${SELECT_PROFILES} WHERE user_id = ANY ($1::bigint[])`,
    sqlite: `${SELECT_PROFILES} WHERE user_id IN (SELECT value FROM json_each($1))`,
  },
});
const GROUP = statements('groups', GROUPS);
const ROLE = statements('roles', ROLES_SQL);
const KEY = statements('api_keys', API_KEYS);
const CLIENT = statements('clients', CLIENTS);

/** Profiles, groups, roles, API keys and clients of read units. */
export const peopleRead = (db: Reading) => ({
  profiles: profilesRead(db),
  groups: groupsRead(db),
  roles: rolesRead(db),
  apiKeys: apiKeysRead(db),
  clients: clientsRead(db),
});

/**
 * Profiles, groups, roles, API keys and clients of one write unit. On PostgreSQL, a unit that finds or changes groups waits for other
 * such units.
 */
export const peopleIn = (db: Writing) => ({
  profiles: profilesIn(db),
  groups: groupsIn(db),
  roles: rolesIn(db),
  apiKeys: apiKeysIn(db),
  clients: clientsIn(db),
});

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

function profilesIn(db: Writing): Profiles {
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

function groupsIn(db: Writing): Groups {
  const read = groupsRead(db);
  const changes = async (query: Statement, groupId: number, memberId: number) => {
    await db.lock('groups');
    return (await db.change(query, groupId, memberId)) === 1;
  };
  return {
    ...read,
    async find(id) {
      await db.lock('groups');
      return read.find(id);
    },
    async findByKey(key) {
      await db.lock('groups');
      return read.findByKey(key);
    },
    async containing(groupId) {
      await db.lock('groups');
      return read.containing(groupId);
    },
    async add(group) {
      await db.lock('groups');
      const { key, name, displayName, role = '' } = group;
      const [row] = await db.rows(GROUP.add, key, name, displayName, role);
      return row && { ...group, id: row.id as number };
    },
    async change(id, change) {
      await db.lock('groups');
      const role = 'role' in change ? (change.role ?? '') : null;
      await db.send(GROUP.change, id, change.displayName ?? null, role);
    },
    async remove(id) {
      await db.lock('groups');
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
    hasAdministrator: async () => Boolean((await db.rows(ROLE.hasAdministrator))[0]?.found),
  };
}

function rolesIn(db: Writing): Roles {
  const read = rolesRead(db);
  return {
    ...read,
    async hasAdministrator() {
      await db.lock('users');
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

function apiKeysIn(db: Writing): ApiKeys {
  return {
    ...apiKeysRead(db),
    add: async (key) => (await db.change(KEY.add, ...apiKeyValues(key))) === 1,
    remove: async (name) => (await db.change(KEY.remove, name)) === 1,
    use: (name, at) => db.send(KEY.use, name, at),
  };
}

const oneClient = ([row]: readonly SqlRow[]) => row && toClient(row);

/** The clients of read units. */
export function clientsRead(db: Reading): ClientsRead {
  return {
    find: async (name) => oneClient(await db.rows(CLIENT.find, name)),
    list: async () => (await db.rows(CLIENT.list)).map(toClient),
  };
}

function clientsIn(db: Writing): Clients {
  return {
    ...clientsRead(db),
    add: async ({ name, secretDigest, addedAt }) =>
      (await db.change(CLIENT.add, name, secretColumn(secretDigest), addedAt)) === 1,
    setSecret: async (name, digest) => (await db.change(CLIENT.setSecret, name, secretColumn(digest))) === 1,
    remove: async (name) => (await db.change(CLIENT.remove, name)) === 1,
  };
}
