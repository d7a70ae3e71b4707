import { ADMIN } from '../../../../core/api.ts';
import { refuse } from '../../../../core/domain/refusal.ts';
import { changed, operation } from '../../../../core/operation.ts';
import { nothingShown } from '../../../../core/representations/representation.ts';
import clientGet from './client.get.ts';

/** Specification, section 16: remove a client. */
export default operation({
  id: 'org/service/repository/admin/client.delete',
  summary: 'Remove a registered client. From the next request on its secret is refused.',
  lifecycle: 'public_api',
  family: 'Administration',
  api: ADMIN,
  method: 'DELETE',
  paths: ['/api/admin/clients/{name}'],
  authentication: 'admin',
  role: 'administrator',
  transaction: 'required',
  access: 'write',
  formatStyle: 'argument',
  defaultFormat: 'json',
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
