import { isRefusal } from '../../../../../core/domain/refusal.ts';
import { adminOperation, changed } from '../../../../../core/operation.ts';
import { Type } from '../../../../../core/schema.ts';
import { groupShown } from '../../../representations/admin/group.ts';
import { roleMember } from '../../../representations/admin/user-body.ts';
import { addGroup } from '../../../rules/groups.ts';

/** Specification, section 16: add a group. */
export default adminOperation({
  id: 'org/service/repository/admin/groups/groups.post',
  summary: 'Add a group.',
  method: 'POST',
  paths: ['/api/admin/groups'],
  role: 'administrator',
  input: {
    body: Type.Object(
      {
        name: Type.String({
          description: 'The short name, with or without `GROUP_`.',
          examples: ['editors'],
        }),
        displayName: Type.Optional(
          Type.String({ description: 'The name that people read; the short name when left out.' }),
        ),
        role: roleMember('the role of each of its members'),
      },
      { additionalProperties: false },
    ),
  },
  answers: 201,
  output: groupShown,
  refusals: ['body_unreadable', 'body_invalid', 'name_taken'],
  async perform({ input: { body }, store }) {
    const { name, displayName, role } = body;
    const added = await addGroup(store, name, { displayName, role });
    return isRefusal(added) ? added : changed({ group: added.group, memberOf: [] }, added.events);
  },
});
