import { isRefusal } from '../../../../../core/domain/refusal.ts';
import { adminOperation, answer } from '../../../../../core/operation.ts';
import { Type } from '../../../../../core/schema.ts';
import { userShown } from '../../../representations/admin/user.ts';
import { barOf, describeUser } from '../../../rules/describe-user.ts';
import { findUser, lastEvent } from '../../../rules/find-user.ts';

/** Specification, section 16: show a user. */
export default adminOperation({
  id: 'org/service/repository/admin/users/user.get',
  summary: 'Show a user with its profile, roles, groups and state.',
  method: 'GET',
  paths: ['/api/admin/users/{userName}'],
  role: 'operator',
  revalidated: true,
  input: {
    path: Type.Object({ userName: Type.String({ description: 'The user name.', examples: ['carol'] }) }),
  },
  output: userShown,
  refusals: ['user_not_found'],
  async perform({ input: { path }, store, keyOf, isLocked, countAppPasswords }) {
    const user = await findUser(store, path.userName, keyOf);
    if (isRefusal(user)) return user;
    const locked = isLocked(user);
    const barred = barOf(user, locked);
    const since = barred && lastEvent(store, user, barred);
    return answer(await describeUser(store, user, locked, since, countAppPasswords));
  },
});
