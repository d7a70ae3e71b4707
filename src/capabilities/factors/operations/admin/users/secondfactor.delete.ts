import { isRefusal } from '../../../../../core/domain/refusal.ts';
import { refusalOfOwnChange } from '../../../../../core/domain/second-factor.ts';
import { adminOperation, changed } from '../../../../../core/operation.ts';
import { nothingShown } from '../../../../../core/representations/representation.ts';
import userGet from '../../../../people/operations/admin/users/user.get.ts';
import { findUser } from '../../../../people/rules/find-user.ts';
import { resetSecondFactors } from '../../../rules/second-factors.ts';

/** Specification, section 21: remove all second factors of a user, whose phone is lost. */
export default adminOperation({
  id: 'org/service/repository/admin/users/secondfactor.delete',
  summary: 'Remove all second factors of a user, for example after the loss of a phone.',
  method: 'DELETE',
  paths: ['/api/admin/users/{userName}/second-factor'],
  role: 'administrator',
  input: userGet.input,
  answers: 204,
  output: nothingShown,
  refusals: ['user_not_found', 'proof_needed'],
  async perform({ input: { path }, store, keyOf, actor, asksSecondFactor, lockOuts }) {
    const user = await findUser(store, path.userName, keyOf);
    if (isRefusal(user)) return user;
    const unproved = refusalOfOwnChange(user, actor, asksSecondFactor);
    if (unproved !== undefined) return unproved;
    const { events } = await resetSecondFactors(store, user, (unit, key) => lockOuts.forgetCodes(unit, key));
    return changed(undefined, events);
  },
});
