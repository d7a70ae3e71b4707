import { refuse } from '../../../../core/domain/refusal.ts';
import { adminOperation, answer } from '../../../../core/operation.ts';
import { Type } from '../../../../core/schema.ts';
import { apiKeyShown } from '../../representations/api-key.ts';

/** Specification, section 16: show an API key. Its `ETag` still matches in `If-Match` after the key was used. */
export default adminOperation({
  id: 'org/service/repository/admin/apikey.get',
  summary: 'Show an API key, without the key itself.',
  method: 'GET',
  paths: ['/api/admin/api-keys/{name}'],
  role: 'operator',
  revalidated: true,
  input: { path: Type.Object({ name: Type.String({ description: 'Its name.', examples: ['backup'] }) }) },
  output: apiKeyShown,
  refusals: ['api_key_not_found'],
  async perform({ input, store }) {
    const key = await store.apiKeys.find(input.path.name);
    return key === undefined ? refuse('api_key_not_found') : answer(key);
  },
});
