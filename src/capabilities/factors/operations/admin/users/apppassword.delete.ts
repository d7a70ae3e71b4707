import { isRefusal, refuse } from '../../../../../core/domain/refusal.ts';
import { adminOperation, changed } from '../../../../../core/operation.ts';
import { nothingShown } from '../../../../../core/representations/representation.ts';
import { Type } from '../../../../../core/schema.ts';
import userGet from '../../../../people/operations/admin/users/user.get.ts';
import { findUser } from '../../../../people/rules/find-user.ts';
import { removeAppPassword } from '../../../rules/app-passwords.ts';

/** Specification, section 21: remove an app password of a user. */
export default adminOperation({
  id: 'org/service/repository/admin/users/apppassword.delete',
  summary: 'Remove an app password of a user. The tickets that came from it end.',
  method: 'DELETE',
  paths: ['/api/admin/users/{userName}/app-passwords/{appPassword}'],
  role: 'administrator',
  input: {
    path: Type.Object({
      userName: userGet.input.path.properties.userName,
      appPassword: Type.String({ description: 'The name of the app password.', examples: ['mail'] }),
    }),
  },
  answers: 204,
  output: nothingShown,
  refusals: ['user_not_found', 'app_password_not_found'],
  async perform({ input: { path }, store, keyOf }) {
    const user = await findUser(store, path.userName, keyOf);
    if (isRefusal(user)) return user;
    const outcome = await removeAppPassword(store, user, path.appPassword);
    return outcome === undefined ? refuse('app_password_not_found') : changed(undefined, outcome.events);
  },
});
