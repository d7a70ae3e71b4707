import { isRefusal } from '../../../../../core/domain/refusal.ts';
import { adminOperation, changed } from '../../../../../core/operation.ts';
import { nothingShown } from '../../../../../core/representations/representation.ts';
import { Type } from '../../../../../core/schema.ts';
import { bringGroup } from '../../../rules/bring-group.ts';
import { findUser } from '../../../rules/find-user.ts';
import { findGroup } from '../../../rules/groups.ts';
import groupGet from './group.get.ts';

/** Specification, section 16: take a user out of a group. */
export default adminOperation({
  id: 'org/service/repository/admin/groups/memberuser.delete',
  summary: 'Take a user out of a group. It stays in the groups that contain it by others.',
  method: 'DELETE',
  paths: ['/api/admin/groups/{group}/users/{userName}'],
  role: 'administrator',
  input: {
    path: Type.Object({
      group: groupGet.input.path.properties.group,
      userName: Type.String({ description: 'The user name.', examples: ['dave'] }),
    }),
  },
  answers: 204,
  output: nothingShown,
  refusals: ['group_not_found', 'user_not_found', 'last_administrator'],
  async perform({ input: { path }, store, keyOf, actor }) {
    const group = await findGroup(store, path.group);
    if (isRefusal(group)) return group;
    const user = await findUser(store, path.userName, keyOf);
    if (isRefusal(user)) return user;
    const outcome = await bringGroup(store, group, { leave: [{ user }] }, { actor });
    return isRefusal(outcome) ? outcome : changed(undefined, outcome.events);
  },
});
