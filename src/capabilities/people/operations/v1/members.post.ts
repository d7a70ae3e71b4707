import { displayNameOf } from '../../../../core/domain/profile.ts';
import { isRefusal } from '../../../../core/domain/refusal.ts';
import { changed, operation } from '../../../../core/operation.ts';
import { oneOf } from '../../../../core/representations/admin/one-of.ts';
import { Type } from '../../../../core/schema.ts';
import { v1MemberShown } from '../../representations/v1/group.ts';
import { V1_ADMINISTRATION } from '../../representations/v1/person-body.ts';
import { findUser } from '../../rules/find-user.ts';
import { findGroup, joinGroup } from '../../rules/groups.ts';
import { groupId } from './group.get.ts';
import { groupMember } from './members.get.ts';

/** Specification, section 12: make a user or a group a member of a group, as Alfresco's tools do. */
export default operation({
  ...V1_ADMINISTRATION,
  id: 'org/service/repository/v1/members.post',
  summary: 'Make a user or a group a member of a group, by the v1 API.',
  family: 'Groups',
  method: 'POST',
  paths: ['/alfresco/versions/1/groups/{groupId}/members'],
  input: {
    path: Type.Object({ groupId }),
    body: Type.Object(
      {
        id: Type.String({
          description: 'A user name, or the name of a group with `GROUP_`.',
          examples: ['carol'],
        }),
        memberType: oneOf(['PERSON', 'GROUP'], {
          refusal: 'body_invalid',
          description: 'PERSON for a user, GROUP for a group',
          examples: ['PERSON'],
        }),
      },
      { additionalProperties: false },
    ),
  },
  answers: 201,
  output: v1MemberShown,
  refusals: ['group_not_found', 'user_not_found', 'body_unreadable', 'body_invalid', 'group_circle'],
  async perform({ input: { path, body }, store, keyOf }) {
    const group = await findGroup(store, path.groupId);
    if (isRefusal(group)) return group;
    if (body.memberType === 'GROUP') {
      const member = await findGroup(store, body.id);
      if (isRefusal(member)) return member;
      const joined = await joinGroup(store, group, { group: member });
      return isRefusal(joined) ? joined : changed(groupMember(member), joined.events);
    }
    const user = await findUser(store, body.id, keyOf);
    if (isRefusal(user)) return user;
    const joined = await joinGroup(store, group, { user });
    const displayName = displayNameOf(user.name, await store.profiles.find(user.id));
    return changed({ id: user.name, displayName, memberType: 'PERSON' } as const, joined.events);
  },
});
