import { isRefusal } from '../../../../core/domain/refusal.ts';
import { answer, operation } from '../../../../core/operation.ts';
import { Type } from '../../../../core/schema.ts';
import { constraintsShown } from '../../representations/parameter-constraint.ts';

/** Specification, section 15: list the constraints of action parameters with the values that they allow. */
export default operation({
  id: 'org/service/repository/rule/constraints.get',
  summary: 'List the constraints of action parameters with the values that they allow.',
  lifecycle: 'public_api',
  family: 'Rules',
  method: 'GET',
  paths: ['/api/actionConstraints'],
  authentication: 'user',
  transaction: 'required',
  access: 'read',
  formatStyle: 'argument',
  defaultFormat: 'json',
  revalidated: true,
  input: {
    query: Type.Object({
      name: Type.Optional(
        Type.String({ description: 'Only the constraint of this name; all constraints when left out.' }),
      ),
    }),
  },
  output: constraintsShown,
  refusals: ['nodes_unavailable'],
  async prepare({ input, constraints }) {
    const { name = '' } = input.query;
    if (name === '') return constraints.all();
    const found = await constraints.find(name);
    if (isRefusal(found)) return found;
    return found === undefined ? [] : [found];
  },
  async perform({ prepared: constraints, currentCatalogue, languageAmong }) {
    const language = languageAmong(currentCatalogue().languages);
    return answer({ constraints, language }, { language });
  },
});
