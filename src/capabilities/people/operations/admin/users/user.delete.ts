import { isRefusal } from '../../../../../core/domain/refusal.ts';
import { adminOperation, changed } from '../../../../../core/operation.ts';
import { nothingShown } from '../../../../../core/representations/representation.ts';
import { bringUser } from '../../../rules/bring-user.ts';
import { findUser } from '../../../rules/find-user.ts';
import userGet from './user.get.ts';

/** Specification, section 16: remove a user. */
export default adminOperation({
  id: 'org/service/repository/admin/users/user.delete',
  summary: 'Remove a user with everything that belongs to it. Its tickets end.',
  method: 'DELETE',
  paths: ['/api/admin/users/{userName}'],
  role: 'administrator',
  ifMatch: userGet,
  input: userGet.input,
  answers: 204,
  output: nothingShown,
  refusals: ['user_not_found', 'last_administrator'],
  async perform({ input: { path }, store, keyOf, actor }) {
    const user = await findUser(store, path.userName, keyOf);
    if (isRefusal(user)) return user;
    const outcome = await bringUser(store, user, 'absent', { actor });
    return isRefusal(outcome) ? outcome : changed(undefined, outcome.events);
  },
});
