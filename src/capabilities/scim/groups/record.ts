import type { Group } from '../../../core/domain/group.ts';
import type { User } from '../../../core/domain/user.ts';
import type { ReadUnit } from '../../../core/storage/store.ts';
import { type Attributes, CORE_GROUP } from '../attributes.ts';
import { groupIdOf } from './group-id.ts';

/** The members directly in a group, with what somebody needs of each user. */
export interface Members<U> {
  readonly users: readonly U[];
  readonly groups: readonly Group[];
}

/** A group with everything that its resource shows. */
export interface GroupRecord {
  readonly group: Group;
  readonly externalId: string | undefined;
  /** Undefined if they were not asked for. */
  readonly members: Members<Pick<User, 'id' | 'name'>> | undefined;
}

/** Members that are read at a time. */
const AT_ONCE = 1_000;

/** All members directly in a group. Of each user it keeps in memory what `part` takes: a group may have a hundred thousand. */
export async function membersOf<U extends Pick<User, 'id'>>(
  { groups }: Pick<ReadUnit, 'groups'>,
  { id }: Pick<Group, 'id'>,
  part: (user: User) => U,
): Promise<Members<U>> {
  const users: U[] = [];
  for (;;) {
    const page = await groups.usersIn(id, users.at(-1)?.id ?? 0, AT_ONCE);
    if (page.length === 0) return { users, groups: await groups.groupsIn(id) };
    users.push(...page.map(part));
  }
}

const shownOf = ({ id, name }: User) => ({ id, name });

/** These groups, of up to 1,000, with what their resources show. Ends once they have `mostMembers` members together. */
export async function groupRecords(
  unit: Pick<ReadUnit, 'groups' | 'externalIds'>,
  groups: readonly Group[],
  withMembers: boolean,
  mostMembers = Number.POSITIVE_INFINITY,
): Promise<readonly GroupRecord[]> {
  const externalIds = await unit.externalIds.of(
    'group',
    groups.map(({ id }) => id),
  );
  const records: GroupRecord[] = [];
  let count = 0;
  for (const group of groups) {
    const members = withMembers ? await membersOf(unit, group, shownOf) : undefined;
    records.push({ group, externalId: externalIds.get(group.id), members });
    count += members === undefined ? 0 : members.users.length + members.groups.length;
    if (count >= mostMembers) break;
  }
  return records;
}

const memberOf = (type: 'User' | 'Group', value: string, display: string, basePath: string) => ({
  value,
  $ref: `${basePath}/${type}s/${value}`,
  display,
  type,
});

/** The resource of a group (RFC 7643 section 4.2). */
export function groupResource({ group, externalId, members }: GroupRecord, basePath: string): Attributes {
  const id = groupIdOf(group);
  return {
    schemas: [CORE_GROUP],
    id,
    ...(externalId !== undefined && { externalId }),
    displayName: group.displayName,
    ...(members && {
      members: [
        ...members.users.map((user) => memberOf('User', String(user.id), user.name, basePath)),
        ...members.groups.map((inner) => memberOf('Group', groupIdOf(inner), inner.displayName, basePath)),
      ],
    }),
    meta: { resourceType: 'Group', location: `${basePath}/Groups/${id}` },
  };
}
