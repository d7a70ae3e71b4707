import { ADMIN } from '../../../../core/api.ts';
import { changed, operation } from '../../../../core/operation.ts';
import { nothingShown } from '../../../../core/representations/representation.ts';

/** Specification, section 16: end all tickets. */
export default operation({
  id: 'org/service/repository/admin/tickets.delete',
  summary: 'End all tickets of all users, the one of the caller too.',
  lifecycle: 'public_api',
  family: 'Administration',
  api: ADMIN,
  method: 'DELETE',
  paths: ['/api/admin/tickets'],
  authentication: 'admin',
  role: 'operator',
  transaction: 'required',
  access: 'write',
  formatStyle: 'argument',
  defaultFormat: 'json',
  input: {},
  answers: 204,
  output: nothingShown,
  refusals: [],
  async perform({ store }) {
    await store.tickets.raiseServerGeneration();
    return changed(undefined, [{ kind: 'tickets-revoked', reason: 'all' }]);
  },
});
