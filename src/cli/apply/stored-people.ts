import type { ExternalIdentity } from '../../domain/external-identity.ts';
import { groupKey } from '../../domain/group.ts';
import type { Profile } from '../../domain/profile.ts';
import type { Role } from '../../domain/role.ts';
import type { User } from '../../domain/user.ts';
import type { ReadUnit } from '../../storage/store.ts';

/** A stored user with all that a document can say about it. */
export interface StoredPerson {
  readonly user: User;
  readonly profile: Profile;
  /** The role of the user itself. */
  readonly role: Role | undefined;
  /** The short names of the groups that contain the user itself, without those that its provider gives it. */
  readonly groups: readonly string[];
  readonly identity: ExternalIdentity | undefined;
}

/** The reads that users need. */
export type PeopleReads = Pick<
  ReadUnit,
  'users' | 'profiles' | 'groups' | 'roles' | 'externalIdentities' | 'clients' | 'apiKeys'
>;

/** How many users are read at once: engines send such statements together. */
const AT_ONCE = 500;

/** What `read` gives for each of these, read many at once, in their order. */
export async function readAll<T, R>(these: readonly T[], read: (one: T) => Promise<R>): Promise<R[]> {
  const found: R[] = [];
  for (let at = 0; at < these.length; at += AT_ONCE)
    found.push(...(await Promise.all(these.slice(at, at + AT_ONCE).map(read))));
  return found;
}

/** These users with all that is stored about them. */
export function storedPeople(unit: PeopleReads, users: readonly User[]): Promise<StoredPerson[]> {
  return readAll(users, async (user) => {
    const [profile, role, groups, identity] = await Promise.all([
      unit.profiles.find(user.id),
      unit.roles.ownOf(user.id),
      unit.groups.ofUser(user.id),
      user.provider === undefined ? undefined : unit.externalIdentities.ofUser(user.id),
    ]);
    const given = new Set(identity?.groups.map(groupKey));
    const own = groups.filter(({ direct, key }) => direct && !given.has(key));
    return { user, profile, role, groups: own.map(({ name }) => name), identity };
  });
}
