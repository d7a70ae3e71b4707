import { referenceStyle } from '../../description/reference/assets.ts';
import { styleShown } from '../../description/reference/shown.ts';
import { answer, operation } from '../../operation.ts';

/** The style of the API reference: one fixed text. */
export default operation({
  id: 'org/service/repository/reference/style.get',
  summary: 'Load the style of the API reference.',
  lifecycle: 'public_api',
  family: 'Description',
  method: 'GET',
  paths: ['/reference/style'],
  authentication: 'none',
  transaction: 'none',
  access: 'none',
  formatStyle: 'any',
  defaultFormat: 'css',
  describes: true,
  immutable: true,
  input: {},
  output: styleShown,
  refusals: [],
  perform: async () => answer(referenceStyle(), { sameAs: '' }),
});
