import { isoTime } from '../../../../../core/domain/iso-time.ts';
import { isRefusal } from '../../../../../core/domain/refusal.ts';
import { adminOperation, answer } from '../../../../../core/operation.ts';
import { optionalTime } from '../../../../../core/representations/admin/times.ts';
import type { Representation } from '../../../../../core/representations/representation.ts';
import { Type } from '../../../../../core/schema.ts';
import userGet from '../../../../people/operations/admin/users/user.get.ts';
import { findUser } from '../../../../people/rules/find-user.ts';
import { secondFactorsOf } from '../../../rules/second-factors.ts';

type SecondFactorsSeen = Awaited<ReturnType<typeof secondFactorsOf>>;

const secondFactorsShown = {
  schema: Type.Object(
    {
      appSince: optionalTime('When the authenticator app was registered; missing without one.'),
      passkeys: Type.Array(
        Type.Object({
          name: Type.String(),
          madeAt: Type.String({ format: 'date-time', description: 'When it was registered.' }),
          usedAt: optionalTime('The last sign-in with it; missing if there was none.'),
        }),
      ),
      recoveryCodes: Type.Integer({ description: 'How many recovery codes are left.' }),
    },
    { title: 'Second factors' },
  ),
  json: ({ appSince, passkeys, recoveryCodes }) => ({
    appSince: isoTime(appSince),
    passkeys: passkeys.map(({ name, madeAt, usedAt }) => ({
      name,
      madeAt: isoTime(madeAt),
      usedAt: isoTime(usedAt),
    })),
    recoveryCodes,
  }),
} satisfies Representation<SecondFactorsSeen>;

/** Specification, section 21: show which second factors a user has. */
export default adminOperation({
  id: 'org/service/repository/admin/users/secondfactor.get',
  summary: 'Show which second factors a user has.',
  method: 'GET',
  paths: ['/api/admin/users/{userName}/second-factor'],
  role: 'operator',
  input: userGet.input,
  output: secondFactorsShown,
  refusals: ['user_not_found'],
  async perform({ input: { path }, store, keyOf }) {
    const user = await findUser(store, path.userName, keyOf);
    return isRefusal(user) ? user : answer(await secondFactorsOf(store, user.id));
  },
});
