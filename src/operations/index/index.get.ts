import { GROUPINGS } from '../../description/index/groups.ts';
import { indexShown } from '../../description/index/index-shown.ts';
import { refuse } from '../../domain/refusal.ts';
import { answer, operation } from '../../operation.ts';
import { Type } from '../../schema.ts';

/** `wire.md` section 9: the index of all operations. */
export default operation({
  id: 'org/service/repository/index/index.get',
  summary: 'List every operation, grouped by family, lifecycle or URI.',
  lifecycle: 'public_api',
  family: 'Description',
  method: 'GET',
  paths: ['/index', '/index/{grouping}'],
  authentication: 'none',
  transaction: 'none',
  access: 'none',
  formatStyle: 'argument',
  defaultFormat: 'html',
  describes: true,
  input: {
    path: Type.Object({
      grouping: Type.Optional(
        Type.String({
          description: `One of ${GROUPINGS.join(', ')}; family when left out.`,
          examples: ['uri'],
        }),
      ),
    }),
  },
  output: indexShown,
  refusals: ['grouping_unknown'],
  async perform({ input, operations, basePath }) {
    const { grouping: asked = 'family' } = input.path;
    const grouping = GROUPINGS.find((known) => known === asked);
    if (grouping === undefined) return refuse('grouping_unknown');
    return answer({ operations, grouping, basePath }, { sameAs: `${grouping} ${basePath}` });
  },
});
