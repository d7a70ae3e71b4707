import { ADMIN } from '../../api.ts';
import { refuse } from '../../domain/refusal.ts';
import { changed, operation } from '../../operation.ts';
import { nothingShown } from '../../representations/representation.ts';
import lockoutGet from './lockout.get.ts';

/** `people.md` section 16: let a user in again. */
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
    const user = await store.users.findByKey(keyOf(path.userName));
    if (user === undefined) return refuse('user_not_found', { detail: path.userName });
    await store.users.change(user.id, { lockedUntil: 0 });
    await lockOuts.forget(store, user.key);
    return changed(undefined, [{ kind: 'unlock', user: user.name }]);
  },
});
