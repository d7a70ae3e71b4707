import { answer, operation } from '../../../../core/operation.ts';
import { referenceShown } from '../../reference/shown.ts';

/** The API reference: the OpenAPI document as a page to read and to try. */
export default operation({
  id: 'org/service/repository/reference/reference.get',
  summary: 'Show the API reference, where every operation can be tried.',
  lifecycle: 'public_api',
  family: 'Description',
  method: 'GET',
  paths: ['/reference'],
  authentication: 'none',
  transaction: 'none',
  access: 'none',
  formatStyle: 'argument',
  defaultFormat: 'html',
  describes: true,
  runsScript: true,
  input: {},
  output: referenceShown,
  refusals: [],
  perform: async ({ basePath }) => answer({ basePath }, { sameAs: basePath }),
});
