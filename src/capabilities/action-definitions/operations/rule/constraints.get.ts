import { isRefusal } from '../../../../core/domain/refusal.ts';
import { answer, operation } from '../../../../core/operation.ts';
import { Type } from '../../../../core/schema.ts';
import { constraintsShown } from '../../representations/parameter-constraint.ts';
import { RULE_QUERY } from '../../rule-query.ts';

/** Specification, section 15: list the constraints of action parameters with the values that they allow. */
export default operation({
  ...RULE_QUERY,
  id: 'org/service/repository/rule/constraints.get',
  summary: 'List the constraints of action parameters with the values that they allow.',
  paths: ['/api/actionConstraints'],
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
