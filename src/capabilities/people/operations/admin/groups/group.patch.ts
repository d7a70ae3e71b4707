import { isRefusal } from '../../../../../core/domain/refusal.ts';
import { adminOperation, changed } from '../../../../../core/operation.ts';
import { nothingShown } from '../../../../../core/representations/representation.ts';
import { Type } from '../../../../../core/schema.ts';
import { roleMember } from '../../../representations/admin/user-body.ts';
import { bringGroup } from '../../../rules/bring-group.ts';
import { findGroup } from '../../../rules/groups.ts';
import groupGet from './group.get.ts';

/** Specification, section 16: change a group. */
export default adminOperation({
  id: 'org/service/repository/admin/groups/group.patch',
  summary: 'Change the display name or the role of a group.',
  method: 'PATCH',
  paths: ['/api/admin/groups/{group}'],
  role: 'administrator',
  ifMatch: groupGet,
  input: {
    path: groupGet.input.path,
    body: Type.Object(
      {
        displayName: Type.Optional(
          Type.String({ description: 'The name that people read.', examples: ['All of the staff'] }),
        ),
        role: roleMember('the role of each of its members; none takes it away', 'none'),
      },
      { additionalProperties: false },
    ),
  },
  answers: 204,
  output: nothingShown,
  refusals: ['group_not_found', 'body_unreadable', 'body_invalid', 'last_administrator'],
  async perform({ input: { path, body }, store, actor }) {
    const group = await findGroup(store, path.group);
    if (isRefusal(group)) return group;
    const outcome = await bringGroup(store, group, body, { actor });
    return isRefusal(outcome) ? outcome : changed(undefined, outcome.events);
  },
});
