import { isRefusal, refuse } from '../../../../core/domain/refusal.ts';
import { changed, operation } from '../../../../core/operation.ts';
import { nothingShown } from '../../../../core/representations/representation.ts';
import { Type } from '../../../../core/schema.ts';
import { V1_ADMINISTRATION } from '../../representations/v1/person-body.ts';
import { bringGroup } from '../../rules/bring-group.ts';
import { findUser } from '../../rules/find-user.ts';
import { findGroup } from '../../rules/groups.ts';
import { groupId } from './group.get.ts';

/** Specification, section 12: take a member out of a group, as Alfresco's tools do. */
export default operation({
  ...V1_ADMINISTRATION,
  id: 'org/service/repository/v1/member.delete',
  summary: 'Take a member out of a group, by the v1 API.',
  family: 'Groups',
  method: 'DELETE',
  paths: ['/alfresco/versions/1/groups/{groupId}/members/{memberId}'],
  input: {
    path: Type.Object({
      groupId,
      memberId: Type.String({
        description: 'A user name, or the name of a group with `GROUP_`.',
        examples: ['dave'],
      }),
    }),
  },
  answers: 204,
  output: nothingShown,
  refusals: ['group_not_found', 'user_not_found', 'member_not_found', 'last_administrator'],
  async perform({ input: { path }, store, keyOf, actor }) {
    const { groupId: name, memberId } = path;
    const group = await findGroup(store, name);
    if (isRefusal(group)) return group;
    const found = memberId.startsWith('GROUP_')
      ? await findGroup(store, memberId)
      : await findUser(store, memberId, keyOf);
    if (isRefusal(found)) return found;
    const member = 'displayName' in found ? { group: found } : { user: found };
    const outcome = await bringGroup(store, group, { leave: [member] }, { actor });
    if (isRefusal(outcome)) return outcome;
    return outcome.events.length > 0
      ? changed(undefined, outcome.events)
      : refuse('member_not_found', { detail: `"${found.name}" is not directly in "${group.name}"` });
  },
});
