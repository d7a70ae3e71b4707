import { refuse } from '../../../../core/domain/refusal.ts';
import { adminOperation, changed } from '../../../../core/operation.ts';
import { nothingShown } from '../../../../core/representations/representation.ts';
import applicationGet from './application.get.ts';

/** Specification, section 16: remove an application. */
export default adminOperation({
  id: 'org/service/repository/admin/application.delete',
  summary:
    'Remove an application with its registered client. From the next request on its secret and all of its tokens are refused.',
  method: 'DELETE',
  paths: ['/api/admin/applications/{name}'],
  role: 'administrator',
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
