import { isRefusal } from '../../../../core/domain/refusal.ts';
import { adminOperation, changed } from '../../../../core/operation.ts';
import { nothingShown } from '../../../../core/representations/representation.ts';
import { findUser } from '../../../people/rules/find-user.ts';
import { unlockUser } from '../../../people/rules/users.ts';
import lockoutGet from './lockout.get.ts';

/** Specification, section 16: let a user in again. */
export default adminOperation({
  id: 'org/service/repository/admin/lockout.delete',
  summary: 'Lift the lock-out of a user, by failures or by hand, and forget the failures of its name.',
  method: 'DELETE',
  paths: ['/api/admin/lock-outs/{userName}'],
  role: 'operator',
  ifMatch: lockoutGet,
  input: lockoutGet.input,
  answers: 204,
  output: nothingShown,
  refusals: ['user_not_found'],
  async perform({ input: { path }, store, keyOf, lockOuts }) {
    const user = await findUser(store, path.userName, keyOf);
    if (isRefusal(user)) return user;
    const { events } = await unlockUser(store, user, (unit, key) => lockOuts.forget(unit, key));
    return changed(undefined, events);
  },
});
