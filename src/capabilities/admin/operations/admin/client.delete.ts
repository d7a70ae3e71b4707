import { refuse } from '../../../../core/domain/refusal.ts';
import { adminOperation, changed } from '../../../../core/operation.ts';
import { nothingShown } from '../../../../core/representations/representation.ts';
import clientGet from './client.get.ts';

/** Specification, section 16: remove a client. */
export default adminOperation({
  id: 'org/service/repository/admin/client.delete',
  summary: 'Remove a registered client. From the next request on its secret is refused.',
  method: 'DELETE',
  paths: ['/api/admin/clients/{name}'],
  role: 'administrator',
  ifMatch: clientGet,
  input: clientGet.input,
  answers: 204,
  output: nothingShown,
  refusals: ['client_not_found'],
  async perform({ input: { path }, store }) {
    if (!(await store.clients.remove(path.name))) return refuse('client_not_found');
    return changed(undefined, [{ kind: 'client-removed', reason: path.name }]);
  },
});
