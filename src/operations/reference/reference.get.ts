import { referenceShown } from '../../description/reference/shown.ts';
import { answer, operation } from '../../operation.ts';

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
