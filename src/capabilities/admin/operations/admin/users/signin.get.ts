import { isoTime } from '../../../../../core/domain/iso-time.ts';
import { adminOperation, answer } from '../../../../../core/operation.ts';
import { oneOf } from '../../../../../core/representations/admin/one-of.ts';
import { optionalTime } from '../../../../../core/representations/admin/times.ts';
import type { Representation } from '../../../../../core/representations/representation.ts';
import { Type } from '../../../../../core/schema.ts';
import userGet from '../../../../people/operations/admin/users/user.get.ts';
import { findSignIn } from '../../../../people/rules/sign-in-facts.ts';
import {
  SIGN_IN_REASONS,
  type SignInFinding,
  sentenceOfSignIn,
} from '../../../../people/rules/why-not-sign-in.ts';

const time = Type.String({ format: 'date-time' });
const optional = (description: string) => Type.Optional(Type.String({ description }));

const signInShown = {
  schema: Type.Object(
    {
      userName: Type.String(),
      canSignIn: Type.Boolean({
        description:
          'Whether the right password lets the user in, from an address that does not have to wait.',
      }),
      reason: oneOf(SIGN_IN_REASONS),
      detail: Type.String({ description: 'The reason as an English sentence.' }),
      since: optionalTime('When it began.'),
      until: optionalTime('When it ends by itself.'),
      address: optional('The address that it is about, or where the last failure came from.'),
      count: Type.Optional(
        Type.Integer({ description: 'Failed logins, or live tickets if they are too many.' }),
      ),
      by: optional('Who did it.'),
      otherName: optional('The user whose name differs by case only.'),
      provider: optional('ldap for the directory, or the identity provider that it is about, by its id.'),
      providerReason: optional('Why the provider does not let the user in, as events say it.'),
      lastSuccess: Type.Optional(Type.Object({ at: time, from: Type.Optional(Type.String()) })),
      refused: Type.Array(
        Type.Object({
          reason: Type.String(),
          from: Type.Optional(Type.String()),
          count: Type.Integer(),
          last: time,
        }),
        { description: 'The logins that were refused since the last success, by reason and address.' },
      ),
    },
    { title: 'Sign-in' },
  ),
  json: (finding) => {
    const { name, since, until, lastSuccess, refused, ...others } = finding;
    return {
      userName: name,
      ...others,
      detail: sentenceOfSignIn(finding),
      since: isoTime(since),
      until: isoTime(until),
      lastSuccess: lastSuccess && { at: isoTime(lastSuccess.at), from: lastSuccess.from },
      refused: refused.map((group) => ({ ...group, last: isoTime(group.last) })),
    };
  },
} satisfies Representation<SignInFinding>;

/** Specification, section 19: why a user can or cannot sign in. A name that no user has is answered, too. */
export default adminOperation({
  id: 'org/service/repository/admin/users/signin.get',
  summary: 'Tell why a user can or cannot sign in, with the last success and the refused logins since then.',
  method: 'GET',
  paths: ['/api/admin/users/{userName}/sign-in'],
  role: 'operator',
  input: { path: userGet.input.path },
  output: signInShown,
  refusals: [],
  async perform({ input: { path }, store, now, keyOf, lockOuts, service }) {
    return answer(await findSignIn(store, path.userName, now, { ...service, keyOf, lockOuts }));
  },
});
