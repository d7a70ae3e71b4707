import { isRefusal, type Refusal } from '../../../../core/domain/refusal.ts';
import { answer, operation } from '../../../../core/operation.ts';
import type { Representation } from '../../../../core/representations/representation.ts';
import { Type } from '../../../../core/schema.ts';
import type { ActionDefinition, ParameterDefinition } from '../../domain/action-definition.ts';
import { type ActionFault, faultsOfValues } from '../../domain/action-faults.ts';
import { canHave } from '../../domain/allowed-value.ts';
import { whyNot } from '../../domain/applicability.ts';
import type { ConstraintSource } from '../../domain/parameter-constraint.ts';

const validationShown = {
  schema: Type.Union([
    Type.Object({ valid: Type.Literal(true) }),
    Type.Object({
      valid: Type.Literal(false),
      faults: Type.Array(
        Type.Object({
          pointer: Type.String({ description: 'Where in the body: a JSON pointer (RFC 6901).' }),
          message: Type.String({ description: 'What is wrong, and what to do.' }),
        }),
        { minItems: 1 },
      ),
    }),
  ]),
  json: (faults) => (faults.length === 0 ? { valid: true } : { valid: false, faults }),
} satisfies Representation<readonly ActionFault[]>;

/** The parameter with the values that its constraint allows. Values that are unknown, or of another type, restrict nothing. */
async function withAllowed(
  parameter: ParameterDefinition,
  constraints: ConstraintSource,
): Promise<ParameterDefinition | Refusal<'nodes_unavailable'>> {
  const { constraint, type } = parameter;
  if (constraint === undefined) return parameter;
  const found = await constraints.find(constraint);
  if (isRefusal(found)) return found;
  const values = found?.values ?? [];
  const isComparable = values.length > 0 && values.every(({ value }) => canHave(type, value));
  return isComparable ? { ...parameter, allowed: values } : parameter;
}

/**
 * The definition with the values that its constraints allow. Without `given`, all parameters are completed, otherwise those
 * that have a value in it.
 */
export async function withAllowedValues(
  definition: ActionDefinition,
  constraints: ConstraintSource,
  values?: Readonly<Record<string, unknown>>,
): Promise<ActionDefinition | Refusal<'nodes_unavailable'>> {
  const parameters: ParameterDefinition[] = [];
  for (const parameter of definition.parameters) {
    const isWanted = values === undefined || Object.hasOwn(values, parameter.name);
    const complete = isWanted ? await withAllowed(parameter, constraints) : parameter;
    if (isRefusal(complete)) return complete;
    parameters.push(complete);
  }
  return { ...definition, parameters };
}

/** Specification, section 15: tell a rule editor everything that is wrong with an action. */
export default operation({
  id: 'org/service/repository/rule/validate.post',
  summary:
    'Tell everything that is wrong with an action: its parameter values, and whether it applies to a node.',
  lifecycle: 'public_api',
  family: 'Rules',
  method: 'POST',
  paths: ['/api/rules/actiondefs/{actionDefinitionName}/validate'],
  authentication: 'user',
  transaction: 'required',
  access: 'read',
  formatStyle: 'argument',
  defaultFormat: 'json',
  input: {
    path: Type.Object({
      actionDefinitionName: Type.String({
        description: 'Name of one action definition.',
        examples: ['add-features'],
      }),
    }),
    query: Type.Object({
      node: Type.Optional(
        Type.String({
          pattern: '^([^:/]+://[^/]+/.+)?$',
          description: 'The node that the action is for, such as workspace://SpacesStore/company-home.',
          examples: ['workspace://SpacesStore/company-home'],
        }),
      ),
    }),
    body: Type.Object({
      parameterValues: Type.Optional(
        Type.Record(Type.String(), Type.Unknown(), {
          description: 'The values of the parameters, by name; none when left out.',
          examples: [{ 'aspect-name': 'cm:titled' }],
        }),
      ),
    }),
  },
  alsoAnswers: 422,
  output: validationShown,
  refusals: ['argument_invalid', 'body_unreadable', 'store_not_found', 'node_not_found', 'nodes_unavailable'],
  scopedTo({ query: { node } }) {
    const [, store, id] = /^([^:/]+:\/\/[^/]+)\/(.+)$/s.exec(node ?? '') ?? [];
    return store === undefined || id === undefined ? undefined : { store, id };
  },
  async prepare({ input, currentCatalogue, constraints }) {
    const definition = currentCatalogue().find(input.path.actionDefinitionName);
    if (definition === undefined) return undefined;
    return withAllowedValues(definition, constraints, input.body.parameterValues ?? {});
  },
  async perform({ input, prepared: definition, node, currentCatalogue }) {
    const { actionDefinitionName } = input.path;
    if (definition === undefined) {
      const message = `There is no action "${actionDefinitionName}": ask for the list of action definitions.`;
      return answer([{ pointer: '', message }], { status: 422 });
    }
    const why = node && whyNot(definition, node.type, currentCatalogue().model);
    const faults: ActionFault[] = [
      ...(why === undefined
        ? []
        : [{ pointer: '', message: `The action does not apply to the node. ${why}` }]),
      ...faultsOfValues(definition, input.body.parameterValues ?? {}),
    ];
    return answer(faults, faults.length === 0 ? {} : { status: 422 });
  },
});
