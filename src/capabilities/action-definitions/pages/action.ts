import { isRefusal, refuse } from '../../../core/domain/refusal.ts';
import { answer } from '../../../core/operation.ts';
import { Type } from '../../../core/schema.ts';
import { inConsole } from '../../../faces/pages/console/change.ts';
import { form, page } from '../../../faces/pages/page.ts';
import type { ActionDefinition } from '../domain/action-definition.ts';
import type { ActionFault } from '../domain/action-faults.ts';
import validatePost, { withAllowedValues } from '../operations/rule/validate.post.ts';
import { actionPage } from './action-view.ts';
import { nodeOf } from './node-of.ts';
import { valuesIn } from './values.ts';

const path = Type.Object({ name: Type.String({ description: 'The name of the action definition.' }) });
const common = { paths: ['/console/actions/{name}'], role: 'operator' } as const;
const node = Type.Optional(Type.String({ description: 'A reference to a node, or a path from the root.' }));

/** The sources of definitions and of the values of constraints. */
interface CompletionSources {
  currentCatalogue(): { find(name: string): ActionDefinition | undefined };
  readonly constraints: Parameters<typeof withAllowedValues>[1];
}

/** The definition of this name, with the values that constraints allow. They may have to be asked for elsewhere. */
async function completeDefinition(name: string, { currentCatalogue, constraints }: CompletionSources) {
  const definition = currentCatalogue().find(name);
  if (definition === undefined) return refuse('definition_not_found', { detail: name });
  return withAllowedValues(definition, constraints);
}

const get = page({
  ...common,
  id: 'org/service/repository/portal/console/actions/action.get',
  summary: 'Show an action definition, with its form.',
  method: 'GET',
  input: { path, query: Type.Object({ node }) },
  prepare: ({ input, ...sources }) => completeDefinition(input.path.name, sources),
  perform: (context) =>
    answer(
      actionPage(inConsole(context).reader, { definition: context.prepared, values: context.input.query }),
    ),
});

const post = page({
  ...common,
  id: 'org/service/repository/portal/console/actions/action.post',
  summary: 'Check the values of an action.',
  method: 'POST',
  access: 'read',
  input: { path, body: form({ node }) },
  scopedTo: ({ body }) => nodeOf(body.node),
  prepare: ({ input, ...sources }) => completeDefinition(input.path.name, sources),
  async perform(context) {
    const { reader, run } = inConsole(context);
    const { prepared: definition, input } = context;
    const checked = await run(
      validatePost,
      {
        path: { actionDefinitionName: definition.name },
        query: {},
        body: { parameterValues: valuesIn(definition.parameters, input.body) as never },
      },
      definition,
    );
    if (isRefusal(checked)) return checked;
    const faults = checked.value as readonly ActionFault[];
    const sent = actionPage(reader, { definition, values: input.body, faults });
    return answer(sent, faults.length === 0 ? {} : { status: 422 });
  },
});

/** The page of an action definition: the form that its schema makes, and the check of values against it (specification, section 19). */
export default [get, post];
