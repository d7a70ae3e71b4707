import { refuse } from '../../../../core/domain/refusal.ts';
import { adminOperation, answer } from '../../../../core/operation.ts';
import { Type } from '../../../../core/schema.ts';
import { lockOutsShown } from '../../representations/lock-out.ts';

/** Specification, section 16: whether a user is locked out or has to wait. */
export default adminOperation({
  id: 'org/service/repository/admin/lockout.get',
  summary:
    'Show whether a user is locked out, and at which addresses of its last refused logins it has to wait. The list is empty if neither is so.',
  method: 'GET',
  paths: ['/api/admin/lock-outs/{userName}'],
  role: 'operator',
  revalidated: true,
  input: { path: Type.Object({ userName: Type.String({ description: 'Its name.', examples: ['alice'] }) }) },
  output: lockOutsShown,
  refusals: ['user_not_found'],
  async perform({ input: { path }, store, now, keyOf, lockOuts }) {
    const user = await store.users.findByKey(keyOf(path.userName));
    if (user === undefined) return refuse('user_not_found', { detail: path.userName });
    return answer(await lockOuts.ofUser(store, user, now));
  },
});
