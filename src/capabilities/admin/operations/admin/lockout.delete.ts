import { ADMIN } from '../../../../core/api.ts';
import { isRefusal } from '../../../../core/domain/refusal.ts';
import { changed, operation } from '../../../../core/operation.ts';
import { nothingShown } from '../../../../core/representations/representation.ts';
import { findUser } from '../../../people/rules/find-user.ts';
import { unlockUser } from '../../../people/rules/users.ts';
import lockoutGet from './lockout.get.ts';

/** Specification, section 16: let a user in again. */
export default operation({
  id: 'org/service/repository/admin/lockout.delete',
  summary: 'Lift the lock-out of a user, by failures or by hand, and forget the failures of its name.',
  lifecycle: 'public_api',
  family: 'Administration',
  api: ADMIN,
  method: 'DELETE',
  paths: ['/api/admin/lock-outs/{userName}'],
  authentication: 'admin',
  role: 'operator',
  transaction: 'required',
  access: 'write',
  formatStyle: 'argument',
  defaultFormat: 'json',
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
