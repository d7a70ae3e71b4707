import { isRefusal } from '../../../../../core/domain/refusal.ts';
import { adminOperation, changed } from '../../../../../core/operation.ts';
import { nothingShown } from '../../../../../core/representations/representation.ts';
import { Type } from '../../../../../core/schema.ts';
import {
  mustChangePasswordMember,
  profileMembers,
  roleMember,
} from '../../../representations/admin/user-body.ts';
import { bringUser } from '../../../rules/bring-user.ts';
import { findUser } from '../../../rules/find-user.ts';
import userGet from './user.get.ts';

/** Specification, section 16: change a user. */
export default adminOperation({
  id: 'org/service/repository/admin/users/user.patch',
  summary: 'Change the profile, role or state of a user.',
  method: 'PATCH',
  paths: ['/api/admin/users/{userName}'],
  role: 'administrator',
  ifMatch: userGet,
  input: {
    path: userGet.input.path,
    body: Type.Object(
      {
        ...profileMembers,
        role: roleMember('the role of the user itself; none takes it away', 'none'),
        disabled: Type.Optional(
          Type.Boolean({
            description: 'Disabling refuses logins, and ends the tickets of the user for good.',
          }),
        ),
        locked: Type.Optional(
          Type.Boolean({
            description:
              'A lock refuses logins and suspends the tickets until it is ended, which also forgets failed logins.',
          }),
        ),
        mustChangePassword: mustChangePasswordMember('as it is'),
      },
      { additionalProperties: false },
    ),
  },
  answers: 204,
  output: nothingShown,
  refusals: [
    'user_not_found',
    'body_unreadable',
    'body_invalid',
    'password_needed',
    'password_elsewhere',
    'last_administrator',
  ],
  async perform({ input: { path, body }, store, keyOf, lockOuts, actor }) {
    const user = await findUser(store, path.userName, keyOf);
    if (isRefusal(user)) return user;
    const { role, disabled, locked, mustChangePassword, ...profile } = body;
    const desired = { role, disabled, locked, mustChangePassword, profile };
    const outcome = await bringUser(store, user, desired, {
      actor,
      forget: (unit, key) => lockOuts.forget(unit, key),
    });
    return isRefusal(outcome) ? outcome : changed(undefined, outcome.events);
  },
});
