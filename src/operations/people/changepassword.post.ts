import { isRefusal, type Refusal, refuse } from '../../domain/refusal.ts';
import { maskedIfTicket } from '../../domain/ticket.ts';
import { changed, operation } from '../../operation.ts';
import type { Representation } from '../../representations/representation.ts';
import { Type } from '../../schema.ts';

/** In the layout of the reference. */
const successShown = {
  schema: Type.Object({ success: Type.Boolean() }),
  json: (success) => ({ success }),
  jsonText: (success) => `{\n   "success" :    ${success}\n}`,
} satisfies Representation<boolean>;

/** The refusal of an old password, with its reason for the events. If it cannot be checked now, the refusal stays as it is. */
function asOldPassword({
  refused,
  detail: _,
  ...rest
}: Refusal): Refusal<'old_password_wrong' | 'passwords_unavailable' | 'hash_queue_full'> {
  if (refused === 'passwords_unavailable' || refused === 'hash_queue_full') return refuse(refused, rest);
  return refuse('old_password_wrong', { reason: refused, ...rest });
}

/**
 * `after-login.md` section 12: change a password. Users change their own with the old one, an administrator any other
 * user's. It ends every ticket of the user but the presented one.
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
    'cross_site_change',
    'user_not_found',
    'passwords_unavailable',
    'hash_queue_full',
  ],
  async prepare({ input, role, isCaller, passwords }) {
    const { userName } = input.path;
    const { oldpw, newpw } = input.body;
    const isOwn = isCaller(userName);
    if (!isOwn && role !== 'administrator') return refuse('password_of_another');
    if (isOwn && !oldpw) return refuse('old_password_missing');
    const verified = isOwn ? await passwords.check(userName, oldpw) : undefined;
    if (isRefusal(verified)) return asOldPassword(verified);
    // Anybody may use an account without a password, so none of its users may lock out the others.
    if (isOwn && verified?.passwordHash === undefined) return refuse('password_of_another');
    const passwordHash = await passwords.hashNew(userName, newpw);
    return isRefusal(passwordHash) ? passwordHash : { passwordHash, verified };
  },
  async perform({ input, prepared, caller, keyOf, confirm, store }) {
    const { passwordHash, verified } = prepared;
    const { userName } = input.path;
    if (verified === undefined && (await store.roles.of(caller.user.id)) !== 'administrator')
      return refuse('password_of_another');
    await verified?.recordSuccess?.(store);
    const user = await (verified ? confirm(verified) : store.users.findByKey(keyOf(userName)));
    if (user === undefined)
      return verified
        ? refuse('old_password_wrong', { reason: 'changed meanwhile' })
        : refuse('user_not_found', { detail: maskedIfTicket(userName) });
    const generation = user.generation + 1;
    await store.users.change(user.id, { passwordHash, generation });
    if (caller.held?.user.id === user.id)
      await store.tickets.moveToGeneration(caller.held.ticket.digest, generation);
    return changed(true, [{ kind: 'password-changed', user: user.name }]);
  },
});
