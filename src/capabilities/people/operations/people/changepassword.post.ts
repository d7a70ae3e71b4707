import { isRefusal, refuse } from '../../../../core/domain/refusal.ts';
import { refusalWithoutProof } from '../../../../core/domain/second-factor.ts';
import type { User } from '../../../../core/domain/user.ts';
import { changed, operation } from '../../../../core/operation.ts';
import type { Representation } from '../../../../core/representations/representation.ts';
import { Type } from '../../../../core/schema.ts';
import type { ReadUnit } from '../../../../core/storage/store.ts';
import { findUser } from '../../rules/find-user.ts';
import { changeOwnPassword, isByAppPassword, prepareOwnPassword } from '../../rules/own-password.ts';
import { setPassword } from '../../rules/users.ts';

/** In the layout of the reference. */
const successShown = {
  schema: Type.Object({ success: Type.Boolean() }),
  json: (success) => ({ success }),
  jsonText: (success) => `{\n   "success" :    ${success}\n}`,
} satisfies Representation<boolean>;

const BY_APP_PASSWORD = {
  detail: 'an app password, and a ticket that was issued for one, change no password',
  reason: 'app password',
};

/**
 * Specification, section 12: change a password. Users change their own with the old one, an administrator any other
 * user's: the sign-in page then asks that user for a new one. It ends every ticket of the user but the presented one. Users
 * with a second factor change their own on the account page, which asks for a proof.
 */
export default operation({
  id: 'org/service/repository/people/changepassword.post',
  summary: 'Change a password, which ends every other ticket of the user.',
  lifecycle: 'public_api',
  family: 'People',
  method: 'POST',
  paths: ['/api/person/changepassword/{userName}'],
  authentication: 'user',
  transaction: 'required',
  access: 'write',
  formatStyle: 'argument',
  defaultFormat: 'json',
  refusesCrossSite: true,
  input: {
    path: Type.Object({
      userName: Type.String({
        description: "The caller's own name; for an administrator, any user's.",
        examples: ['alice'],
      }),
    }),
    body: Type.Object({
      oldpw: Type.Optional(
        Type.String({
          description: 'The old password. An administrator leaves it out for another user.',
          examples: ['a long quiet river'],
        }),
      ),
      newpw: Type.String({
        minLength: 1,
        refusal: 'new_password_missing',
        description: 'The new password.',
        examples: ['an even longer, quieter river'],
      }),
    }),
  },
  output: successShown,
  refusals: [
    'old_password_missing',
    'new_password_missing',
    'body_unreadable',
    'old_password_wrong',
    'new_password_refused',
    'password_of_another',
    'proof_needed',
    'password_elsewhere',
    'cross_site_change',
    'user_not_found',
    'passwords_unavailable',
    'hash_queue_full',
  ],
  async prepare({ input, role, caller, isCaller, passwords, passwordsElsewhere, asksSecondFactor }) {
    const { userName } = input.path;
    const { oldpw, newpw } = input.body;
    if (!isCaller(userName)) {
      if (role !== 'administrator') return refuse('password_of_another');
      return passwords.hashNew(userName, newpw);
    }
    if (!oldpw) return refuse('old_password_missing');
    const mayChange = async (unit: ReadUnit, owner: User) =>
      !(await isByAppPassword(unit, caller)) && refusalWithoutProof(owner, asksSecondFactor) === undefined;
    const change = { oldPassword: oldpw, newPassword: newpw };
    return prepareOwnPassword(passwords, userName, change, { passwordsElsewhere, mayChange });
  },
  async perform({ input, prepared, caller, keyOf, confirm, store, passwordPages, asksSecondFactor }) {
    if (typeof prepared === 'object') {
      const { isWritten } = prepared;
      if (!isWritten && (await isByAppPassword(store, caller)))
        return refuse('password_of_another', BY_APP_PASSWORD);
      const owner = await store.users.find(caller.user.id);
      const unproved = owner && refusalWithoutProof(owner, asksSecondFactor);
      if (!isWritten && unproved !== undefined) return unproved;
      const own = await changeOwnPassword(store, prepared, confirm, caller.heldTicket, passwordPages);
      return isRefusal(own) ? own : changed(true, own.events);
    }
    if ((await store.roles.of(caller.user.id)) !== 'administrator') return refuse('password_of_another');
    const user = await findUser(store, input.path.userName, keyOf);
    if (isRefusal(user)) return user;
    const password = { passwordHash: prepared, mustChangePassword: true };
    const set = await setPassword(store, user, password, passwordPages);
    return isRefusal(set) ? set : changed(true, set.events);
  },
});
