import { NOBODY, TOLD } from '../../../src/capabilities/oidc-provider/tables/entries.ts';
import type { Group } from '../../../src/core/domain/group.ts';
import { highestRole, type Role } from '../../../src/core/domain/role.ts';
import {
  isLocked,
  isLockedByHand,
  isPasswordless,
  type User,
  userKey,
} from '../../../src/core/domain/user.ts';
import type { UserFilter, UserPlace } from '../../../src/core/storage/people.ts';
import type { Users, WriteUnit } from '../../../src/core/storage/store.ts';
import { searchedIn } from '../../../src/engines/sql/people-sql.ts';
import { idOf } from './passkeys.ts';
import { byCodePoints, every, next, one, type Sight, type Tables } from './tables.ts';

type People = Pick<
  WriteUnit,
  'profiles' | 'groups' | 'roles' | 'apiKeys' | 'externalIdentities' | 'externalIds' | 'freedNames'
>;

/** The profiles, groups, roles, API keys and identities at providers of the memory engine. */
export function peopleIn(tables: Tables, sight: Sight): People {
  const groups = groupsIn(tables, sight);
  return {
    profiles: profilesIn(tables, sight),
    groups,
    roles: rolesIn(tables, sight, groups),
    apiKeys: apiKeysIn(tables, sight),
    externalIdentities: externalIdentitiesIn(tables, sight),
    externalIds: externalIdsIn(tables, sight),
    freedNames: freedNamesIn(tables, sight),
  };
}

/** Removes what belongs to a user. */
export function removePerson(tables: Tables, userId: number): void {
  tables.profiles.delete(userId);
  tables.roles.delete(userId);
  for (const passkey of tables.passkeys.all())
    if (passkey.userId === userId) tables.passkeys.delete(idOf(passkey.credentialId));
  for (const entry of tables.entries.all()) {
    const key = entry.digest.toString('hex');
    if (entry.userId !== userId) continue;
    if (TOLD.includes(entry.kind)) tables.entries.set(key, { ...entry, userId: NOBODY });
    else tables.entries.delete(key);
  }
  tables.identities.delete(userId);
  tables.externalIds.delete(`user ${userId}`);
  for (const membership of tables.memberships.all())
    if (membership.userId === userId) tables.memberships.delete(keyOf(membership.groupId, userId));
}

const keyOf = (groupId: number, memberId: number) => `${groupId} ${memberId}`;
const byKey = <T extends { readonly key: string }>(rows: readonly T[]) =>
  [...rows].sort((a, b) => byCodePoints(a.key, b.key));

function profilesIn(tables: Tables, sight: Sight): People['profiles'] {
  return {
    find: async (userId) => one(tables.profiles, userId, sight) ?? {},
    async ofUsers(userIds) {
      const found = userIds.map((id) => [id, one(tables.profiles, id, sight)] as const);
      return new Map(found.flatMap(([id, profile]) => (profile === undefined ? [] : [[id, profile]])));
    },
    async put(userId, profile) {
      if (Object.keys(profile).length === 0) tables.profiles.delete(userId);
      else tables.profiles.set(userId, profile);
    },
  };
}

function groupsIn(tables: Tables, sight: Sight): People['groups'] {
  const all = () => byKey(every(tables.groups, sight));
  const memberships = () => every(tables.memberships, sight);
  const nestings = () => every(tables.nestings, sight);
  const containing = (id: number) =>
    all().filter((group) => nestings().some((n) => n.groupId === group.id && n.memberId === id));
  const effective = (found: ReadonlySet<number>): ReadonlySet<number> => {
    const wider = new Set([...found, ...[...found].flatMap((id) => containing(id).map((group) => group.id))]);
    return wider.size === found.size ? found : effective(wider);
  };
  const put = <T extends { groupId: number }>(
    table: { get(key: string): T | undefined; set(key: string, row: T): void },
    key: string,
    row: T,
  ) => {
    if (table.get(key) !== undefined) return false;
    table.set(key, row);
    return true;
  };
  return {
    find: async (id) => one(tables.groups, id, sight),
    findByKey: async (key) => all().find((group) => group.key === key),
    page: async (prefix, after, limit) =>
      all()
        .filter(({ key }) => key.startsWith(prefix) && byCodePoints(key, after?.key ?? '') > 0)
        .slice(0, limit),
    async ofUser(userId) {
      const own = new Set(memberships().flatMap((m) => (m.userId === userId ? [m.groupId] : [])));
      const ids = effective(own);
      return all()
        .filter(({ id }) => ids.has(id))
        .map((group) => ({
          ...group,
          direct: own.has(group.id),
          root: containing(group.id).length === 0,
        }));
    },
    containing: async (groupId) => containing(groupId),
    groupsIn: async (groupId) =>
      all().filter(({ id }) => nestings().some((n) => n.groupId === groupId && n.memberId === id)),
    async usersIn(groupId, afterId, limit) {
      const ids = memberships().flatMap((m) => (m.groupId === groupId ? [m.userId] : []));
      const users = every(tables.users, sight).filter(({ id }) => id > afterId && ids.includes(id));
      return users.sort((a, b) => a.id - b.id).slice(0, limit);
    },
    async add(group) {
      if (all().some(({ key }) => key === group.key)) return undefined;
      const added = { ...group, id: next(tables, 'lastGroup') };
      tables.groups.set(added.id, added);
      return added;
    },
    async change(id, change) {
      const old = tables.groups.get(id);
      if (old !== undefined) tables.groups.set(id, { ...old, ...change } as Group);
    },
    async remove(id) {
      tables.groups.delete(id);
      tables.externalIds.delete(`group ${id}`);
      for (const m of tables.memberships.all())
        if (m.groupId === id) tables.memberships.delete(keyOf(id, m.userId));
      for (const n of tables.nestings.all())
        if (n.groupId === id || n.memberId === id) tables.nestings.delete(keyOf(n.groupId, n.memberId));
    },
    addUser: async (groupId, userId) => put(tables.memberships, keyOf(groupId, userId), { groupId, userId }),
    removeUser: async (groupId, userId) => tables.memberships.delete(keyOf(groupId, userId)),
    addGroup: async (groupId, memberId) =>
      put(tables.nestings, keyOf(groupId, memberId), { groupId, memberId }),
    removeGroup: async (groupId, memberId) => tables.nestings.delete(keyOf(groupId, memberId)),
  };
}

function rolesIn(tables: Tables, sight: Sight, groups: People['groups']): People['roles'] {
  const own = (user: User | undefined): Role[] => {
    const given = user && one(tables.roles, user.id, sight);
    return [...(user?.administrator ? ['administrator' as const] : []), ...(given ? [given] : [])];
  };
  const of = async (userId: number) => {
    const user = one(tables.users, userId, sight);
    if (user === undefined || isPasswordless(user)) return undefined;
    const byGroups = (await groups.ofUser(userId)).flatMap(({ role }) => role ?? []);
    return highestRole([...own(user), ...byGroups]);
  };
  return {
    ownOf: async (userId) => highestRole(own(one(tables.users, userId, sight))),
    of,
    async hasAdministrator() {
      for (const user of every(tables.users, sight))
        if (!user.disabled && !isLockedByHand(user) && (await of(user.id)) === 'administrator') return true;
      return false;
    },
    async give(userId, role) {
      if (role === undefined) tables.roles.delete(userId);
      else tables.roles.set(userId, role);
    },
  };
}

function apiKeysIn(tables: Tables, sight: Sight): People['apiKeys'] {
  const all = () => every(tables.apiKeys, sight);
  return {
    find: async (name) => one(tables.apiKeys, name, sight),
    findByDigest: async (digest) => all().find((key) => key.digest.equals(digest)),
    list: async () => all().sort((a, b) => byCodePoints(a.name, b.name)),
    async add(key) {
      if (one(tables.apiKeys, key.name, sight) !== undefined) return false;
      tables.apiKeys.set(key.name, key);
      return true;
    },
    remove: async (name) => tables.apiKeys.delete(name),
    async use(name, at) {
      const key = tables.apiKeys.get(name);
      if (key !== undefined && at > (key.usedAt ?? 0)) tables.apiKeys.set(name, { ...key, usedAt: at });
    },
  };
}

function externalIdentitiesIn(tables: Tables, sight: Sight): People['externalIdentities'] {
  const all = () => every(tables.identities, sight).sort((a, b) => a.userId - b.userId);
  return {
    find: async (provider, subject) =>
      all().find((identity) => identity.provider === provider && identity.subject === subject),
    ofUser: async (userId) => one(tables.identities, userId, sight),
    async due(provider, before, afterUserId, limit) {
      const due = all().filter((identity) => identity.provider === provider && identity.checkedAt < before);
      return due.filter(({ userId }) => userId > afterUserId).slice(0, limit);
    },
    async put(identity) {
      tables.identities.set(identity.userId, identity);
    },
    async setChecked(userIds, at) {
      for (const id of userIds) {
        const identity = tables.identities.get(id);
        if (identity !== undefined) tables.identities.set(id, { ...identity, checkedAt: at });
      }
    },
  };
}

function externalIdsIn(tables: Tables, sight: Sight): People['externalIds'] {
  const all = () => every(tables.externalIds, sight).sort((a, b) => a.id - b.id);
  return {
    find: async (kind, externalId) =>
      all().flatMap((row) => (row.kind === kind && row.externalId === externalId ? [row.id] : [])),
    of: async (kind, ids) =>
      new Map(
        all().flatMap((row) => (row.kind === kind && ids.includes(row.id) ? [[row.id, row.externalId]] : [])),
      ),
    async put(kind, id, externalId) {
      if (externalId === undefined) tables.externalIds.delete(`${kind} ${id}`);
      else tables.externalIds.set(`${kind} ${id}`, { kind, id, externalId });
    },
  };
}

function freedNamesIn(tables: Tables, sight: Sight): People['freedNames'] {
  return {
    find: async (key) => one(tables.freedNames, key, sight),
    async put(freed) {
      tables.freedNames.set(freed.key, freed);
    },
    async sweep(before, limit) {
      const free = every(tables.freedNames, sight).filter(({ freeAt }) => freeAt < before);
      const swept = free.toSorted((one, other) => one.freeAt - other.freeAt).slice(0, limit);
      for (const { key } of swept) tables.freedNames.delete(key);
      return swept.length;
    },
  };
}

/** Lists the users that pass a filter. */
export function userSearchIn(tables: Tables, sight: Sight): Pick<Users, 'search' | 'countUpTo'> {
  const passes = (user: User, filter: UserFilter) => {
    const { prefix, part, administrators, disabled, lockedAt, neverLoggedIn, withoutSecondFactor } = filter;
    const text = `${userKey(user.key)}\n${searchedIn(one(tables.profiles, user.id, sight) ?? {})}`;
    return (
      (prefix === undefined || user.key.startsWith(prefix)) &&
      (part === undefined || text.includes(userKey(part))) &&
      (administrators !== true || user.administrator) &&
      (disabled !== true || user.disabled) &&
      (lockedAt === undefined || isLocked(user, lockedAt, Number.POSITIVE_INFINITY)) &&
      (neverLoggedIn !== true || user.lastLoginAt === 0) &&
      (withoutSecondFactor !== true || !user.hasSecondFactor)
    );
  };
  const passing = (filter: UserFilter) => every(tables.users, sight).filter((user) => passes(user, filter));
  return {
    async search(filter, after, limit, order) {
      const others = Object.entries(filter).filter(
        ([name, value]) => name !== 'part' && value !== undefined && value !== false,
      );
      if (order === undefined && filter.part !== undefined && others.length === 0) {
        const byId = passing(filter).sort((a, b) => a.id - b.id);
        return byId.filter(({ id }) => id > (after?.id ?? 0)).slice(0, limit);
      }
      const times = order?.by === 'lastLoginAt' ? 1 : 0;
      const forward = (a: UserPlace, b: UserPlace) =>
        times * ((a.lastLoginAt ?? 0) - (b.lastLoginAt ?? 0)) || byCodePoints(a.key, b.key);
      const compare = (a: UserPlace, b: UserPlace) => forward(a, b) * (order?.descending ? -1 : 1);
      const sorted = passing(filter).sort(compare);
      return sorted.filter((user) => after === undefined || compare(user, after) > 0).slice(0, limit);
    },
    countUpTo: async (most, filter) => Math.min(passing(filter).length, most),
  };
}
