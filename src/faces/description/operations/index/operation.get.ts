import { refuse } from '../../../../core/domain/refusal.ts';
import { answer, operation } from '../../../../core/operation.ts';
import { Type } from '../../../../core/schema.ts';
import { operationShown } from '../../index/operation-shown.ts';
import { nameOf } from '../../name.ts';

/** Specification, section 9: one operation of the index. */
export default operation({
  id: 'org/service/repository/index/operation.get',
  summary: 'Show one operation with all its attributes, its errors and examples.',
  lifecycle: 'public_api',
  family: 'Description',
  method: 'GET',
  paths: ['/index/operation/{name}'],
  authentication: 'none',
  transaction: 'none',
  access: 'none',
  formatStyle: 'argument',
  defaultFormat: 'html',
  describes: true,
  input: {
    path: Type.Object({
      name: Type.Array(Type.String(), {
        description: 'The last part of its id, such as rule/actiondefs.get.',
        examples: [['login.get']],
      }),
    }),
  },
  output: operationShown,
  refusals: ['operation_not_found'],
  async perform({ input, operations, basePath }) {
    const name = input.path.name.join('/');
    const found = operations.find((candidate) => nameOf(candidate) === name);
    if (found === undefined) return refuse('operation_not_found', { detail: name });
    return answer({ operation: found, basePath }, { sameAs: `${name} ${basePath}` });
  },
});
