import { isRefusal } from '../../../../../core/domain/refusal.ts';
import { adminOperation, changed } from '../../../../../core/operation.ts';
import { nothingShown } from '../../../../../core/representations/representation.ts';
import { bringGroup } from '../../../rules/bring-group.ts';
import { findGroup } from '../../../rules/groups.ts';
import groupGet from './group.get.ts';

/** Specification, section 16: remove a group. */
export default adminOperation({
  id: 'org/service/repository/admin/groups/group.delete',
  summary: 'Remove a group. Its members stay.',
  method: 'DELETE',
  paths: ['/api/admin/groups/{group}'],
  role: 'administrator',
  ifMatch: groupGet,
  input: groupGet.input,
  answers: 204,
  output: nothingShown,
  refusals: ['group_not_found', 'last_administrator'],
  async perform({ input: { path }, store, actor }) {
    const group = await findGroup(store, path.group);
    if (isRefusal(group)) return group;
    const outcome = await bringGroup(store, group, 'absent', { actor });
    return isRefusal(outcome) ? outcome : changed(undefined, outcome.events);
  },
});
