import { answer, operation } from '../../../../core/operation.ts';
import { referenceStyle } from '../../reference/assets.ts';
import { styleShown, tagged } from '../../reference/shown.ts';

/** The style of the API reference. Its text never changes. */
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
  revalidated: true,
  input: { query: tagged },
  output: styleShown,
  refusals: [],
  async perform({ input }) {
    const asset = referenceStyle();
    const compressed = await asset.compressed();
    return answer(asset, { sameAs: '', lasting: input.query.tag === asset.tag, compressed });
  },
});
