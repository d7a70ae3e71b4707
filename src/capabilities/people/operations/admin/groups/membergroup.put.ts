import { isRefusal } from '../../../../../core/domain/refusal.ts';
import { adminOperation, changed } from '../../../../../core/operation.ts';
import { nothingShown } from '../../../../../core/representations/representation.ts';
import { Type } from '../../../../../core/schema.ts';
import { findGroup, joinGroup } from '../../../rules/groups.ts';
import groupGet from './group.get.ts';

/** Specification, section 16: make a group a member of a group. */
export default adminOperation({
  id: 'org/service/repository/admin/groups/membergroup.put',
  summary: 'Make a group a member of a group.',
  method: 'PUT',
  paths: ['/api/admin/groups/{group}/groups/{member}'],
  role: 'administrator',
  input: {
    path: Type.Object({
      group: groupGet.input.path.properties.group,
      member: Type.String({
        description: 'The short name of the group that is the member.',
        examples: ['guests'],
      }),
    }),
  },
  answers: 204,
  output: nothingShown,
  refusals: ['group_not_found', 'group_circle'],
  async perform({ input: { path }, store }) {
    const group = await findGroup(store, path.group);
    if (isRefusal(group)) return group;
    const member = await findGroup(store, path.member);
    if (isRefusal(member)) return member;
    const outcome = await joinGroup(store, group, { group: member });
    return isRefusal(outcome) ? outcome : changed(undefined, outcome.events);
  },
});
