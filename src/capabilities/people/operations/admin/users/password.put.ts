import { isRefusal } from '../../../../../core/domain/refusal.ts';
import { refusalOfOwnChange } from '../../../../../core/domain/second-factor.ts';
import { adminOperation, changed } from '../../../../../core/operation.ts';
import { nothingShown } from '../../../../../core/representations/representation.ts';
import { Type } from '../../../../../core/schema.ts';
import { mustChangePasswordMember } from '../../../representations/admin/user-body.ts';
import { findUser } from '../../../rules/find-user.ts';
import { setPassword } from '../../../rules/users.ts';
import userGet from './user.get.ts';

/** Specification, section 16: set the password of a user. */
export default adminOperation({
  id: 'org/service/repository/admin/users/password.put',
  summary: 'Set the password of a user. Its tickets end.',
  method: 'PUT',
  paths: ['/api/admin/users/{userName}/password'],
  role: 'administrator',
  input: {
    path: userGet.input.path,
    body: Type.Object(
      {
        password: Type.String({ description: 'The new password.', examples: ['four quiet rivers meeting'] }),
        mustChangePassword: mustChangePasswordMember('true, or false for the own password of the caller'),
      },
      { additionalProperties: false },
    ),
  },
  answers: 204,
  output: nothingShown,
  refusals: [
    'user_not_found',
    'body_unreadable',
    'new_password_refused',
    'password_elsewhere',
    'proof_needed',
    'hash_queue_full',
  ],
  prepare: ({ input: { path, body }, passwords }) => passwords.hashNew(path.userName, body.password),
  async perform(context) {
    const { input, prepared: passwordHash, store, keyOf, actor, passwordPages, asksSecondFactor } = context;
    const { path, body } = input;
    const user = await findUser(store, path.userName, keyOf);
    if (isRefusal(user)) return user;
    const unproved = refusalOfOwnChange(user, actor, asksSecondFactor);
    if (unproved !== undefined) return unproved;
    const { mustChangePassword = actor.user?.id !== user.id } = body;
    const set = await setPassword(store, user, { passwordHash, mustChangePassword }, passwordPages);
    return isRefusal(set) ? set : changed(undefined, set.events);
  },
});
