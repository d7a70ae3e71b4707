import { isRefusal } from '../../../core/domain/refusal.ts';
import { changed, operation } from '../../../core/operation.ts';
import { nothingShown } from '../../../core/representations/representation.ts';
import { Type } from '../../../core/schema.ts';
import { bringGroup } from '../../people/rules/bring-group.ts';
import { SCIM_CALL } from '../call.ts';
import { faultOfGroupChange } from '../reach.ts';
import { shownArguments } from '../shown.ts';
import { groupGet, groupPath } from './group.get.ts';
import { findGroup } from './group-id.ts';

/** RFC 7644 section 3.6: remove a group. */
export const groupDelete = operation({
  ...SCIM_CALL,
  id: 'org/service/repository/scim/groups/group.delete',
  summary: 'Remove a group. Its members stay.',
  method: 'DELETE',
  paths: ['/Groups/{id}'],
  access: 'write',
  ifMatch: groupGet,
  input: { path: groupPath, query: Type.Object(shownArguments) },
  answers: 204,
  output: nothingShown,
  refusals: ['group_not_found', 'group_has_role', 'last_administrator'],
  async perform({ input: { path }, store }) {
    const group = await findGroup(store, path.id);
    if (isRefusal(group)) return group;
    const fault = await faultOfGroupChange(store, group);
    if (fault !== undefined) return fault;
    const outcome = await bringGroup(store, group, 'absent');
    return isRefusal(outcome) ? outcome : changed(undefined, outcome.events);
  },
});
