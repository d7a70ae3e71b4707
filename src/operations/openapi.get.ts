import { openApiShown } from '../description/openapi/shown.ts';
import { answer, operation } from '../operation.ts';

/** `wire.md` section 9: all operations, as an OpenAPI document. */
export default operation({
  id: 'org/service/repository/openapi.get',
  summary: 'Describe every operation in an OpenAPI document.',
  lifecycle: 'public_api',
  family: 'Description',
  method: 'GET',
  paths: ['/openapi'],
  authentication: 'none',
  transaction: 'none',
  access: 'none',
  formatStyle: 'any',
  defaultFormat: 'json',
  describes: true,
  input: {},
  output: openApiShown,
  refusals: [],
  perform: async ({ operations, basePath }) => answer({ operations, basePath }, { sameAs: basePath }),
});
