import { adminOperation, changed } from '../../../../core/operation.ts';
import { nothingShown } from '../../../../core/representations/representation.ts';

/** Specification, section 16: end all tickets. */
export default adminOperation({
  id: 'org/service/repository/admin/tickets.delete',
  summary: 'End all tickets of all users, the one of the caller too.',
  method: 'DELETE',
  paths: ['/api/admin/tickets'],
  role: 'operator',
  input: {},
  answers: 204,
  output: nothingShown,
  refusals: [],
  async perform({ store }) {
    await store.tickets.raiseServerGeneration();
    return changed(undefined, [{ kind: 'tickets-revoked', reason: 'all' }]);
  },
});
