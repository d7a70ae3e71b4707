import { randomBytes } from 'node:crypto';
import { type GroupOfUser, groupKey } from '../../core/domain/group.ts';
import { isRole } from '../../core/domain/role.ts';
import type { Groups } from '../../core/storage/people.ts';
import type { ReadUnit } from '../../core/storage/store.ts';
import { keys, type Partition, partitionOfUser, partitions } from './partitions.ts';
import type { RedisServers } from './servers.ts';
import type { CachedValue, CacheSource, UserCache } from './user-cache.ts';

/** How long Redis keeps the groups of a user, in milliseconds: clients ask for them around a log-in. */
const KEPT_FOR = String(10 * 60_000);

/** The id for which a unit asks only to lock the nesting until it ends: no group has it. */
const NO_GROUP = 0;

/** A new stamp, which nothing in the cache has. */
export const newStamp = () => randomBytes(12).toString('base64url');

/** Locks the groups and their members until the unit ends: other units that would change them wait. */
export async function lockGroups({ groups }: Pick<ReadUnit, 'groups'>): Promise<void> {
  await groups.containing(NO_GROUP);
}

/**
 * The stamp of the groups of a partition's users. A cached value begins with the stamp that was read before the database was
 * asked. Each change replaces the stamp, so earlier cached values no longer count.
 */
export function cachedStamp(partition: Partition): CachedValue<string> {
  return {
    partition,
    key: keys.groupsStamp(partition),
    read: async () => newStamp(),
    async lock(sql) {
      await lockGroups(sql);
      return newStamp();
    },
    encode: (stamp) => stamp,
    decode: (text) => (/^[\w-]+$/.test(text) ? { value: text } : undefined),
  };
}

/** The changes of groups in a unit: the users whose cached groups are outdated once it commits. */
export class ChangedGroups {
  ofUsers = new Set<number>();
  ofEverybody = false;

  /** The partitions of these users. */
  get partitions(): readonly Partition[] {
    return this.ofEverybody ? partitions : [...new Set([...this.ofUsers].map(partitionOfUser))];
  }

  restore({ ofUsers, ofEverybody }: ChangedGroups): void {
    this.ofUsers = new Set(ofUsers);
    this.ofEverybody = ofEverybody;
  }

  /** The groups of a unit, whose changes are noted here. A new group contains nobody. */
  noting(groups: Groups): Groups {
    const member =
      (change: Groups['addUser']): Groups['addUser'] =>
      (groupId, userId) => {
        this.ofUsers.add(userId);
        return change(groupId, userId);
      };
    const anyone =
      <A extends readonly unknown[], T>(change: (...values: A) => T) =>
      (...values: A) => {
        this.ofEverybody = true;
        return change(...values);
      };
    return {
      ...groups,
      change: anyone(groups.change),
      remove: anyone(groups.remove),
      addUser: member(groups.addUser),
      removeUser: member(groups.removeUser),
      addGroup: anyone(groups.addGroup),
      removeGroup: anyone(groups.removeGroup),
    };
  }
}

type CachedGroup = readonly [
  id: number,
  name: string,
  displayName: string,
  role: string,
  direct: 0 | 1,
  root: 0 | 1,
];

function encodeGroups(groups: readonly GroupOfUser[]): string {
  const rows = groups.map(({ id, name, displayName, role = '', direct, root }): CachedGroup => {
    // Most groups have their name as display name, so it is kept once.
    return [id, name, displayName === name ? '' : displayName, role, direct ? 1 : 0, root ? 1 : 0];
  });
  return JSON.stringify(rows);
}

function decodeGroups(text: string): GroupOfUser[] {
  return (JSON.parse(text) as CachedGroup[]).map(([id, name, displayName, role, direct, root]) => ({
    id,
    name,
    key: groupKey(name),
    displayName: displayName === '' ? name : displayName,
    role: isRole(role) ? role : undefined,
    direct: direct === 1,
    root: root === 1,
  }));
}

/** Caches the groups of users in Redis. The commit of a unit invalidates them. */
export class GroupCache {
  readonly #servers: RedisServers;
  readonly #userCache: UserCache;

  constructor(servers: RedisServers, userCache: UserCache) {
    this.#servers = servers;
    this.#userCache = userCache;
  }

  /** The groups that contain the user, from Redis if they are cached, else from the database. */
  async ofUser(userId: number, sql: CacheSource): Promise<readonly GroupOfUser[]> {
    const partition = partitionOfUser(userId);
    const stamped = cachedStamp(partition);
    // Two commands: while a slot is moved, one of both keys would not answer together with the other.
    const [stampText, text] = (await Promise.all([
      this.#servers.ask(partition.slot, ['GET', stamped.key]),
      this.#servers.ask(partition.slot, ['GET', keys.groupsOf(userId)]),
    ])) as (string | null)[];
    const stampValue = stampText && stamped.decode(stampText)?.value;
    if (stampValue && text?.startsWith(`${stampValue} `))
      return decodeGroups(text.slice(stampValue.length + 1));
    const stamp = await this.#userCache.resolve(stamped, stampText ?? null, sql);
    const groups = await sql.groups.ofUser(userId);
    // While a change is under way, `resolve` makes a stamp for this call alone: what is cached with it is never found.
    if (stampValue || stampText === null) this.#fill(userId, `${stamp} ${encodeGroups(groups)}`);
    return groups;
  }

  #fill(userId: number, text: string): void {
    const words = ['SET', keys.groupsOf(userId), text, 'PX', KEPT_FOR];
    void this.#servers.ask(partitionOfUser(userId).slot, words).catch(() => undefined);
  }
}
