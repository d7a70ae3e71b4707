import { refuse } from '../../../../core/domain/refusal.ts';
import { answer, operation } from '../../../../core/operation.ts';
import { Type } from '../../../../core/schema.ts';
import { constraintShown } from '../../representations/parameter-constraint.ts';
import { RULE_QUERY } from '../../rule-query.ts';

/** Specification, section 15: show the values that one constraint allows. */
export default operation({
  ...RULE_QUERY,
  id: 'org/service/repository/rule/constraint.get',
  summary: 'Show the values that one constraint of action parameters allows.',
  paths: ['/api/actionConstraints/{name}'],
  input: {
    path: Type.Object({
      name: Type.String({ description: 'Name of one constraint.', examples: ['ac-compare-operations'] }),
    }),
  },
  output: constraintShown,
  refusals: ['constraint_not_found', 'nodes_unavailable'],
  prepare: ({ input, constraints }) => constraints.find(input.path.name),
  async perform({ input, prepared: constraint, currentCatalogue, languageAmong }) {
    if (constraint === undefined) return refuse('constraint_not_found', { detail: input.path.name });
    const language = languageAmong(currentCatalogue().languages);
    return answer({ constraint, language }, { language });
  },
});
