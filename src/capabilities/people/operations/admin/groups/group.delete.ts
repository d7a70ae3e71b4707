import { ADMIN } from '../../../../../core/api.ts';
import { isRefusal } from '../../../../../core/domain/refusal.ts';
import { changed, operation } from '../../../../../core/operation.ts';
import { nothingShown } from '../../../../../core/representations/representation.ts';
import { bringGroup } from '../../../rules/bring-group.ts';
import { findGroup } from '../../../rules/groups.ts';
import groupGet from './group.get.ts';

/** Specification, section 16: remove a group. */
export default operation({
  id: 'org/service/repository/admin/groups/group.delete',
  summary: 'Remove a group. Its members stay.',
  lifecycle: 'public_api',
  family: 'Administration',
  api: ADMIN,
  method: 'DELETE',
  paths: ['/api/admin/groups/{group}'],
  authentication: 'admin',
  role: 'administrator',
  transaction: 'required',
  access: 'write',
  formatStyle: 'argument',
  defaultFormat: 'json',
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
