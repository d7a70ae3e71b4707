import { refuse } from '../../../../core/domain/refusal.ts';
import { answer, operation } from '../../../../core/operation.ts';
import { Type } from '../../../../core/schema.ts';
import { GROUPINGS, indexShown } from '../../index-shown.ts';

/** Specification, section 9: the index of all operations. */
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
    const { grouping: name = 'family' } = input.path;
    const grouping = GROUPINGS.find((each) => each === name);
    if (grouping === undefined) return refuse('grouping_unknown');
    return answer({ operations, grouping, basePath }, { sameAs: `${grouping} ${basePath}` });
  },
});
