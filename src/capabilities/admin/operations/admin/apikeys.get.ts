import { adminOperation } from '../../../../core/operation.ts';
import { pageArguments, pageShown, pagesByName } from '../../../../core/representations/admin/page.ts';
import { Type } from '../../../../core/schema.ts';
import { apiKeyJson, apiKeyShown } from '../../representations/api-key.ts';

const pageOf = pagesByName('api-keys');

/** Specification, section 16: list the API keys. */
export default adminOperation({
  id: 'org/service/repository/admin/apikeys.get',
  summary: 'List the API keys by name, without the keys themselves.',
  method: 'GET',
  paths: ['/api/admin/api-keys'],
  role: 'operator',
  input: { query: Type.Object(pageArguments) },
  output: pageShown(apiKeyShown.schema, apiKeyJson),
  refusals: ['argument_invalid', 'cursor_invalid'],
  // Administrators make few keys, so the store gives all of them.
  perform: async ({ input: { query }, store }) => pageOf(await store.apiKeys.list(), query),
});
