import { ADMIN } from '../../../../core/api.ts';
import { refuse } from '../../../../core/domain/refusal.ts';
import { changed, operation } from '../../../../core/operation.ts';
import { nothingShown } from '../../../../core/representations/representation.ts';
import applicationGet from './application.get.ts';

/** Specification, section 16: remove an application. */
export default operation({
  id: 'org/service/repository/admin/application.delete',
  summary:
    'Remove an application with its registered client. From the next request on its secret and all of its tokens are refused.',
  lifecycle: 'public_api',
  family: 'Administration',
  api: ADMIN,
  method: 'DELETE',
  paths: ['/api/admin/applications/{name}'],
  authentication: 'admin',
  role: 'administrator',
  transaction: 'required',
  access: 'write',
  formatStyle: 'argument',
  defaultFormat: 'json',
  ifMatch: applicationGet,
  input: applicationGet.input,
  answers: 204,
  output: nothingShown,
  refusals: ['application_not_found'],
  async perform({ input: { path }, store }) {
    if ((await store.applications.find(path.name)) === undefined) return refuse('application_not_found');
    await store.clients.remove(path.name);
    return changed(undefined, [{ kind: 'application-removed', reason: path.name }]);
  },
});
