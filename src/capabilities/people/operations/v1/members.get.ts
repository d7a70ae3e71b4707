import { type Group, wireNameOf } from '../../../../core/domain/group.ts';
import { pageOf } from '../../../../core/domain/list-page.ts';
import { displayNameOf } from '../../../../core/domain/profile.ts';
import { isRefusal, type Refusal, refuse } from '../../../../core/domain/refusal.ts';
import type { User } from '../../../../core/domain/user.ts';
import { answer, operation } from '../../../../core/operation.ts';
import {
  inOrderBy,
  orderArgument,
  pagingArguments,
  pagingOf,
} from '../../../../core/representations/v1/list.ts';
import { Type } from '../../../../core/schema.ts';
import type { ReadUnit } from '../../../../core/storage/store.ts';
import { type V1Member, v1MembersShown } from '../../representations/v1/group.ts';
import { V1_ADMINISTRATION } from '../../representations/v1/person-body.ts';
import { findGroup } from '../../rules/groups.ts';
import { groupId } from './group.get.ts';

/** How many members a list may look through, and how many are read at a time. */
const MOST = 20_000;
const AT_ONCE = 1_000;

/** A group as a member of another one. */
export const groupMember = (group: Group): V1Member => ({
  id: wireNameOf(group),
  displayName: group.displayName,
  memberType: 'GROUP',
});

/** The users directly in a group, as members of it. */
async function peopleIn(
  { groups, profiles }: Pick<ReadUnit, 'groups' | 'profiles'>,
  group: Group,
): Promise<readonly V1Member[] | Refusal<'filter_too_wide'>> {
  const people: V1Member[] = [];
  let users: readonly User[] = [];
  do {
    users = await groups.usersIn(group.id, users.at(-1)?.id ?? 0, AT_ONCE);
    const profileOf = await profiles.ofUsers(users.map(({ id }) => id));
    for (const { id, name } of users)
      people.push({
        id: name,
        displayName: displayNameOf(name, profileOf.get(id) ?? {}),
        memberType: 'PERSON',
      });
    if (people.length > MOST)
      return refuse('filter_too_wide', {
        detail: `the group has more than ${MOST} members: list them by /api/admin/groups`,
      });
  } while (users.length === AT_ONCE);
  return people;
}

/** Specification, section 12: the users and groups directly in a group. */
export default operation({
  ...V1_ADMINISTRATION,
  id: 'org/service/repository/v1/members.get',
  summary: 'List the members of a group, by the v1 API.',
  family: 'Groups',
  role: 'operator',
  access: 'read',
  method: 'GET',
  paths: ['/alfresco/versions/1/groups/{groupId}/members'],
  input: {
    path: Type.Object({ groupId }),
    query: Type.Object({
      ...pagingArguments,
      orderBy: orderArgument('displayName', 'id'),
      where: Type.Optional(
        Type.String({
          pattern: "^( *\\( *memberType *= *'?(PERSON|GROUP)'? *\\) *)?$",
          description: "(memberType='PERSON') for users only, (memberType='GROUP') for groups only.",
        }),
      ),
    }),
  },
  output: v1MembersShown,
  refusals: [
    'group_not_found',
    'argument_invalid',
    'skip_count_negative',
    'max_items_not_positive',
    'filter_too_wide',
  ],
  async perform({ input: { path, query }, store }) {
    const group = await findGroup(store, path.groupId);
    if (isRefusal(group)) return group;
    const { where = '', orderBy = '' } = query;
    const people = where.includes('GROUP') ? [] : await peopleIn(store, group);
    if (isRefusal(people)) return people;
    const groups = where.includes('PERSON') ? [] : await store.groups.groupsIn(group.id);
    const members = inOrderBy([...groups.map(groupMember), ...people], orderBy, {
      displayName: ({ displayName }) => displayName,
      id: ({ id }) => id,
    });
    return answer(pageOf(members, pagingOf(query)));
  },
});
