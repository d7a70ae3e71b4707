import type { ApplicationsRead } from '../../capabilities/oidc-provider/tables/applications.ts';
import type { Provisioned } from '../../capabilities/people/tables/external-ids.ts';
import type { ExternalIdentity } from '../../core/domain/external-identity.ts';
import { type GroupOfUser, groupKey } from '../../core/domain/group.ts';
import type { Profile } from '../../core/domain/profile.ts';
import type { Role } from '../../core/domain/role.ts';
import type { User } from '../../core/domain/user.ts';
import type { ReadUnit } from '../../core/storage/store.ts';

/** A stored user with all that a document can say about it. */
export interface StoredPerson {
  readonly user: User;
  readonly profile: Profile;
  /** The role of the user itself. */
  readonly role: Role | undefined;
  /** The short names of the groups that contain the user itself, without the given ones. */
  readonly groups: readonly string[];
  /** The short names of the groups that contain the user because a provider or a provisioning system says so. */
  readonly fromProvider: readonly string[];
  readonly identity: ExternalIdentity | undefined;
  /** Whether a provider or a provisioning system keeps the user: its profile and whether it is disabled. */
  readonly isKeptElsewhere: boolean;
}

/** The reads that a comparison needs. */
export type PeopleReads = Pick<
  ReadUnit,
  'users' | 'profiles' | 'groups' | 'roles' | 'externalIdentities' | 'externalIds' | 'clients' | 'apiKeys'
> & { readonly applications: ApplicationsRead };

/** How much is read at once: engines send such statements together. */
const AT_ONCE = 500;

function* slicesOf<T>(these: readonly T[]): Generator<readonly T[]> {
  for (let at = 0; at < these.length; at += AT_ONCE) yield these.slice(at, at + AT_ONCE);
}

/** What `read` gives for each of these, read many at once, in their order. */
export async function readAll<T, R>(these: readonly T[], read: (one: T) => Promise<R>): Promise<R[]> {
  const found: R[] = [];
  for (const some of slicesOf(these)) found.push(...(await Promise.all(some.map(read))));
  return found;
}

/** The ids, among these, of the users or groups that a provisioning system keeps. */
export async function provisionedAmong(
  { externalIds }: Pick<PeopleReads, 'externalIds'>,
  kind: Provisioned,
  ids: readonly number[],
): Promise<ReadonlySet<number>> {
  const found = new Set<number>();
  for (const some of slicesOf(ids)) for (const id of (await externalIds.of(kind, some)).keys()) found.add(id);
  return found;
}

async function readPerson(unit: PeopleReads, user: User) {
  const [profile, role, groups, identity] = await Promise.all([
    unit.profiles.find(user.id),
    unit.roles.ownOf(user.id),
    unit.groups.ofUser(user.id),
    user.provider === undefined ? undefined : unit.externalIdentities.ofUser(user.id),
  ]);
  return { user, profile, role, direct: groups.filter(({ direct }) => direct), identity };
}

/** These users with all that is stored about them. */
export async function storedPeople(unit: PeopleReads, users: readonly User[]): Promise<StoredPerson[]> {
  const people = await readAll(users, (user) => readPerson(unit, user));
  const provisionedUsers = await provisionedAmong(
    unit,
    'user',
    users.map(({ id }) => id),
  );
  const groupIds = new Set(people.flatMap(({ direct }) => direct.map(({ id }) => id)));
  const provisionedGroups = await provisionedAmong(unit, 'group', [...groupIds]);
  return people.map(({ direct, ...person }) => {
    const fromProvider = new Set(person.identity?.groups.map(groupKey));
    const isGiven = ({ id, key }: GroupOfUser) => fromProvider.has(key) || provisionedGroups.has(id);
    const namesOf = (groups: readonly GroupOfUser[]) => groups.map(({ name }) => name);
    return {
      ...person,
      groups: namesOf(direct.filter((group) => !isGiven(group))),
      fromProvider: namesOf(direct.filter(isGiven)),
      isKeptElsewhere: person.identity !== undefined || provisionedUsers.has(person.user.id),
    };
  });
}
