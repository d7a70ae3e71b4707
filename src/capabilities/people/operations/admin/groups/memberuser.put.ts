import { isRefusal } from '../../../../../core/domain/refusal.ts';
import { adminOperation, changed } from '../../../../../core/operation.ts';
import { nothingShown } from '../../../../../core/representations/representation.ts';
import { Type } from '../../../../../core/schema.ts';
import { findUser } from '../../../rules/find-user.ts';
import { findGroup, joinGroup } from '../../../rules/groups.ts';
import groupGet from './group.get.ts';

/** Specification, section 16: make a user a member of a group. */
export default adminOperation({
  id: 'org/service/repository/admin/groups/memberuser.put',
  summary: 'Make a user a member of a group.',
  method: 'PUT',
  paths: ['/api/admin/groups/{group}/users/{userName}'],
  role: 'administrator',
  input: {
    path: Type.Object({
      group: groupGet.input.path.properties.group,
      userName: Type.String({ description: 'The user name.', examples: ['carol'] }),
    }),
  },
  answers: 204,
  output: nothingShown,
  refusals: ['group_not_found', 'user_not_found'],
  async perform({ input: { path }, store, keyOf }) {
    const group = await findGroup(store, path.group);
    if (isRefusal(group)) return group;
    const user = await findUser(store, path.userName, keyOf);
    if (isRefusal(user)) return user;
    const outcome = await joinGroup(store, group, { user });
    return changed(undefined, outcome.events);
  },
});
