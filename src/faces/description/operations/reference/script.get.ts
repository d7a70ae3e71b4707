import { answer, operation } from '../../../../core/operation.ts';
import { referenceScript } from '../../reference/assets.ts';
import { scriptShown, tagged } from '../../reference/shown.ts';

/** The script of the API reference. Its text never changes. */
export default operation({
  id: 'org/service/repository/reference/script.get',
  summary: 'Load the script of the API reference.',
  lifecycle: 'public_api',
  family: 'Description',
  method: 'GET',
  paths: ['/reference/script'],
  authentication: 'none',
  transaction: 'none',
  access: 'none',
  formatStyle: 'any',
  defaultFormat: 'js',
  describes: true,
  revalidated: true,
  input: { query: tagged },
  output: scriptShown,
  refusals: [],
  async perform({ input }) {
    const asset = referenceScript();
    const compressed = await asset.compressed();
    return answer(asset, { sameAs: '', lasting: input.query.tag === asset.tag, compressed });
  },
});
