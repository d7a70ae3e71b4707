import { isRefusal } from '../../../../../core/domain/refusal.ts';
import { refusalOfOwnChange } from '../../../../../core/domain/second-factor.ts';
import { adminOperation, changed } from '../../../../../core/operation.ts';
import { Type } from '../../../../../core/schema.ts';
import userGet from '../../../../people/operations/admin/users/user.get.ts';
import { findUser } from '../../../../people/rules/find-user.ts';
import { newAppPasswordShown } from '../../../representations/app-password.ts';
import { makeAppPasswordFor } from '../../../rules/app-passwords.ts';

const body = Type.Object(
  {
    name: Type.String({
      description: 'Its name: the program that uses it, and where that runs.',
      examples: ['scanner'],
    }),
    expiresAt: Type.Optional(
      Type.String({
        format: 'date-time',
        refusal: 'body_invalid',
        description:
          'a date and time such as 2030-01-31T12:00:00Z, from when on it is refused; left out: it never is',
      }),
    ),
    addresses: Type.Optional(
      Type.Array(Type.String(), {
        description:
          'a list of addresses and blocks such as 192.0.2.0/24, from which it works; left out or empty: from everywhere',
      }),
    ),
  },
  { additionalProperties: false },
);

/** Specification, section 21: make an app password for a user. */
export default adminOperation({
  id: 'org/service/repository/admin/users/apppasswords.post',
  summary: 'Make an app password for a user. Its text is in this answer, and in no other.',
  method: 'POST',
  paths: ['/api/admin/users/{userName}/app-passwords'],
  role: 'administrator',
  input: { path: userGet.input.path, body },
  answers: 201,
  output: newAppPasswordShown,
  refusals: [
    'user_not_found',
    'body_unreadable',
    'body_invalid',
    'name_taken',
    'password_needed',
    'proof_needed',
  ],
  async perform({ input: { path, body }, store, keyOf, now, newAppPassword, actor, asksSecondFactor }) {
    const user = await findUser(store, path.userName, keyOf);
    if (isRefusal(user)) return user;
    const unproved = refusalOfOwnChange(user, actor, asksSecondFactor);
    if (unproved !== undefined) return unproved;
    const { name, addresses = [] } = body;
    const expiresAt = body.expiresAt === undefined ? undefined : Date.parse(body.expiresAt);
    const { password, digest } = newAppPassword();
    const outcome = await makeAppPasswordFor(store, user, { name, digest, expiresAt, addresses }, now);
    if (isRefusal(outcome)) return outcome;
    return changed({ ...outcome.appPassword, tickets: 0, password }, outcome.events);
  },
});
