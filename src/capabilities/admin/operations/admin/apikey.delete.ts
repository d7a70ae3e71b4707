import { refuse } from '../../../../core/domain/refusal.ts';
import { adminOperation, changed } from '../../../../core/operation.ts';
import { nothingShown } from '../../../../core/representations/representation.ts';
import apikeyGet from './apikey.get.ts';

/** Specification, section 16: remove an API key. */
export default adminOperation({
  id: 'org/service/repository/admin/apikey.delete',
  summary: 'Remove an API key. From then on it is refused.',
  method: 'DELETE',
  paths: ['/api/admin/api-keys/{name}'],
  role: 'administrator',
  ifMatch: apikeyGet,
  input: apikeyGet.input,
  answers: 204,
  output: nothingShown,
  refusals: ['api_key_not_found'],
  async perform({ input: { path }, store }) {
    if (!(await store.apiKeys.remove(path.name))) return refuse('api_key_not_found');
    return changed(undefined, [{ kind: 'api-key-removed', reason: path.name }]);
  },
});
