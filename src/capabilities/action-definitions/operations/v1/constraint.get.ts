import { V1_CALL } from '../../../../core/api.ts';
import { refuse } from '../../../../core/domain/refusal.ts';
import { answer, operation } from '../../../../core/operation.ts';
import type { Representation } from '../../../../core/representations/representation.ts';
import { Type } from '../../../../core/schema.ts';
import { SPACES_STORE } from '../../domain/node.ts';
import { type ConstraintShown, labelled, valueSchema } from '../../representations/parameter-constraint.ts';

const IN_SPACES_STORE = `${SPACES_STORE}/`;

/** A value as the v1 API has it: it names a node by its id alone. */
const v1Value = <T>(value: T) =>
  typeof value === 'string' && value.startsWith(IN_SPACES_STORE)
    ? value.slice(IN_SPACES_STORE.length)
    : value;

const v1ConstraintShown = {
  schema: Type.Object({
    entry: Type.Object({
      constraintName: Type.String(),
      constraintValues: Type.Array(Type.Object({ value: valueSchema, label: Type.String() })),
    }),
  }),
  json: (view) => ({
    entry: {
      constraintName: view.constraint.name,
      constraintValues: labelled(view).map(({ value, label }) => ({ value: v1Value(value), label })),
    },
  }),
} satisfies Representation<ConstraintShown>;

/** Specification, section 15: show the values that one constraint allows, as the rule editor of the content app asks. */
export default operation({
  id: 'org/service/repository/v1/constraint.get',
  summary: 'Show the values that one constraint of action parameters allows, by the v1 API.',
  family: 'Rules',
  ...V1_CALL,
  method: 'GET',
  paths: ['/alfresco/versions/1/action-parameter-constraints/{constraintName}'],
  authentication: 'user',
  access: 'read',
  revalidated: true,
  input: {
    path: Type.Object({
      constraintName: Type.String({
        description: 'Name of one constraint.',
        examples: ['ac-compare-operations'],
      }),
    }),
  },
  output: v1ConstraintShown,
  refusals: ['constraint_not_found', 'nodes_unavailable'],
  prepare: ({ input, constraints }) => constraints.find(input.path.constraintName),
  async perform({ input, prepared: constraint, currentCatalogue, languageAmong }) {
    if (constraint === undefined)
      return refuse('constraint_not_found', { detail: input.path.constraintName });
    const language = languageAmong(currentCatalogue().languages);
    return answer({ constraint, language }, { language });
  },
});
