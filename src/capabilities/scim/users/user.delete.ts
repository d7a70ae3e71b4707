import { isRefusal } from '../../../core/domain/refusal.ts';
import { changed, operation } from '../../../core/operation.ts';
import { nothingShown } from '../../../core/representations/representation.ts';
import { Type } from '../../../core/schema.ts';
import { bringUser } from '../../people/rules/bring-user.ts';
import { SCIM_CALL, type ScimRules } from '../call.ts';
import { faultOfUserChange } from '../reach.ts';
import { shownArguments } from '../shown.ts';
import { findUserById } from './find.ts';
import { userGet, userPath } from './user.get.ts';

/** RFC 7644 section 3.6: remove a user. */
export const userDelete = (rules: ScimRules) =>
  operation({
    ...SCIM_CALL,
    id: 'org/service/repository/scim/users/user.delete',
    summary: 'Remove a user with everything that belongs to it. Its tickets end.',
    method: 'DELETE',
    paths: ['/Users/{id}'],
    access: 'write',
    ifMatch: userGet(rules),
    input: { path: userPath, query: Type.Object(shownArguments) },
    answers: 204,
    output: nothingShown,
    refusals: ['user_not_found', 'last_administrator', 'user_has_role', 'user_not_provisioned'],
    async perform({ input: { path }, store, now }) {
      const user = await findUserById(store, path.id);
      if (isRefusal(user)) return user;
      const fault = await faultOfUserChange(store, user, rules.provider);
      if (fault !== undefined) return fault;
      const provisioning = { provider: rules.provider, now };
      const outcome = await bringUser(store, user, 'absent', { provisioning });
      return isRefusal(outcome) ? outcome : changed(undefined, outcome.events);
    },
  });
