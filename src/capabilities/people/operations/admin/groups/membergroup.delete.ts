import { isRefusal } from '../../../../../core/domain/refusal.ts';
import { adminOperation, changed } from '../../../../../core/operation.ts';
import { nothingShown } from '../../../../../core/representations/representation.ts';
import { Type } from '../../../../../core/schema.ts';
import { bringGroup } from '../../../rules/bring-group.ts';
import { findGroup } from '../../../rules/groups.ts';
import groupGet from './group.get.ts';

/** Specification, section 16: take a group out of a group. */
export default adminOperation({
  id: 'org/service/repository/admin/groups/membergroup.delete',
  summary: 'Take a group out of a group. It stays in the groups that contain it by others.',
  method: 'DELETE',
  paths: ['/api/admin/groups/{group}/groups/{member}'],
  role: 'administrator',
  input: {
    path: Type.Object({
      group: groupGet.input.path.properties.group,
      member: Type.String({
        description: 'The short name of the group that is the member.',
        examples: ['interns'],
      }),
    }),
  },
  answers: 204,
  output: nothingShown,
  refusals: ['group_not_found', 'last_administrator'],
  async perform({ input: { path }, store, actor }) {
    const group = await findGroup(store, path.group);
    if (isRefusal(group)) return group;
    const member = await findGroup(store, path.member);
    if (isRefusal(member)) return member;
    const outcome = await bringGroup(store, group, { leave: [{ group: member }] }, { actor });
    return isRefusal(outcome) ? outcome : changed(undefined, outcome.events);
  },
});
