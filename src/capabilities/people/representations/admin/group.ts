import type { Group } from '../../../../core/domain/group.ts';
import { displayNameOf, type Profile } from '../../../../core/domain/profile.ts';
import { ROLES } from '../../../../core/domain/role.ts';
import type { User } from '../../../../core/domain/user.ts';
import { oneOf } from '../../../../core/representations/admin/one-of.ts';
import type { Representation } from '../../../../core/representations/representation.ts';
import { Type } from '../../../../core/schema.ts';

/** The members of the JSON of a group. */
export const groupMembers = {
  name: Type.String({ description: 'The short name, without `GROUP_`.' }),
  displayName: Type.String(),
  role: Type.Optional(oneOf(ROLES, { description: 'The role that its members have.' })),
};

/** The JSON of a group. JSON leaves out members that are undefined. */
export function groupJson({ name, displayName, role }: Group) {
  return { name, displayName, role };
}

export const listedGroupShown = Type.Object(groupMembers, { title: 'Listed group' });

/** A group, and the groups that contain it directly. */
export interface GroupShown {
  readonly group: Group;
  readonly memberOf: readonly Group[];
}

export const groupShown = {
  schema: Type.Object(
    {
      ...groupMembers,
      memberOf: Type.Array(listedGroupShown, { description: 'The groups that contain it directly.' }),
    },
    { title: 'Group' },
  ),
  json: ({ group, memberOf }) => ({ ...groupJson(group), memberOf: memberOf.map(groupJson) }),
} satisfies Representation<GroupShown>;

/** A member of a group: another group, or a user. */
export type GroupMember = { readonly group: Group } | { readonly user: User; readonly profile: Profile };

export const groupMemberShown = Type.Object(
  {
    type: Type.Union([Type.Literal('group'), Type.Literal('user')]),
    name: Type.String({ description: 'The user name, or the short name of the group.' }),
    displayName: Type.String(),
  },
  { title: 'Member of a group' },
);

export function groupMemberJson(member: GroupMember) {
  if ('group' in member) {
    const { name, displayName } = member.group;
    return { type: 'group', name, displayName };
  }
  const { name } = member.user;
  return { type: 'user', name, displayName: displayNameOf(name, member.profile) };
}
