import { isRefusal } from '../../../../../core/domain/refusal.ts';
import { adminOperation, changed } from '../../../../../core/operation.ts';
import { nothingShown } from '../../../../../core/representations/representation.ts';
import userGet from '../../../../people/operations/admin/users/user.get.ts';
import { findUser } from '../../../../people/rules/find-user.ts';
import { revokeTickets } from '../../../../people/rules/tickets.ts';

/** Specification, section 16: end all tickets of a user. */
export default adminOperation({
  id: 'org/service/repository/admin/users/tickets.delete',
  summary: 'End all tickets of a user.',
  method: 'DELETE',
  paths: ['/api/admin/users/{userName}/tickets'],
  role: 'operator',
  input: userGet.input,
  answers: 204,
  output: nothingShown,
  refusals: ['user_not_found'],
  async perform({ input: { path }, store, keyOf }) {
    const user = await findUser(store, path.userName, keyOf);
    if (isRefusal(user)) return user;
    return changed(undefined, (await revokeTickets(store, user)).events);
  },
});
