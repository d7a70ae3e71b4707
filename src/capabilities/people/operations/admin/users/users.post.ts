import { isRefusal } from '../../../../../core/domain/refusal.ts';
import { adminOperation, changed } from '../../../../../core/operation.ts';
import { Type } from '../../../../../core/schema.ts';
import { userShown } from '../../../representations/admin/user.ts';
import {
  mustChangePasswordMember,
  profileMembers,
  roleMember,
} from '../../../representations/admin/user-body.ts';
import { addUser } from '../../../rules/bring-user.ts';

/** Specification, section 16: add a user. */
export default adminOperation({
  id: 'org/service/repository/admin/users/users.post',
  summary: 'Add a user.',
  method: 'POST',
  paths: ['/api/admin/users'],
  role: 'administrator',
  input: {
    body: Type.Object(
      {
        userName: Type.String({ description: 'The user name.', examples: ['dora'] }),
        password: Type.Optional(
          Type.String({
            description: 'The password. Without one anybody can log in as this user, such as a guest.',
            examples: ['four quiet rivers meeting'],
          }),
        ),
        mustChangePassword: mustChangePasswordMember('true if a password is given'),
        disabled: Type.Optional(Type.Boolean({ description: 'Whether it is disabled from the start.' })),
        role: roleMember('the role of the user itself'),
        ...profileMembers,
      },
      { additionalProperties: false },
    ),
  },
  answers: 201,
  output: userShown,
  refusals: [
    'body_unreadable',
    'body_invalid',
    'name_taken',
    'password_needed',
    'new_password_refused',
    'hash_queue_full',
  ],
  prepare: async ({ input: { body }, passwords }) =>
    body.password === undefined ? undefined : passwords.hashNew(body.userName, body.password),
  async perform({ input: { body }, prepared: passwordHash, store, keyOf }) {
    const { userName: name, password, disabled = false, role, ...others } = body;
    const { mustChangePassword = password !== undefined, ...profile } = others;
    const state = { passwordHash, mustChangePassword, disabled };
    const added = await addUser(store, { name, key: keyOf(name), ...state, role, profile });
    if (isRefusal(added)) return added;
    const { user, events } = added;
    const nothing = { locked: false, since: undefined, appPasswords: 0, groups: [] };
    const about = { profile: await store.profiles.find(user.id), ownRole: role, role };
    return changed({ user, ...nothing, ...about }, events);
  },
});
