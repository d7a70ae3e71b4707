import type { Static } from 'typebox';
import { V1_CALL } from '../../../../core/api.ts';
import { pageOf } from '../../../../core/domain/list-page.ts';
import { answer, operation } from '../../../../core/operation.ts';
import { orderArgument, pagingArguments, pagingOf } from '../../../../core/representations/v1/list.ts';
import { Type } from '../../../../core/schema.ts';
import { type DefinitionOrder, inOrder } from '../../domain/definition-order.ts';
import { SPACES_STORE } from '../../domain/node.ts';
import { v1DefinitionsShown } from '../../representations/v1/action-definition.ts';

const listArguments = Type.Object({
  ...pagingArguments,
  orderBy: orderArgument('name', 'title'),
});

/** The order that checked arguments ask for. */
function orderOf({ orderBy = '' }: Static<typeof listArguments>): DefinitionOrder {
  return { by: /^title/i.test(orderBy) ? 'title' : 'name', descending: /desc$/i.test(orderBy) };
}

/** Specification, section 10: list the action definitions, for everything or for one node. */
export default operation({
  id: 'org/service/repository/v1/actiondefinitions.get',
  summary: 'List the action definitions, all of them or those that apply to one node, by the v1 API.',
  family: 'Rules',
  ...V1_CALL,
  method: 'GET',
  paths: [
    '/alfresco/versions/1/action-definitions',
    '/alfresco/versions/1/nodes/{nodeId}/action-definitions',
  ],
  authentication: 'user',
  access: 'read',
  revalidated: true,
  input: {
    path: Type.Object({
      nodeId: Type.Optional(
        Type.String({
          description: `Node id in ${SPACES_STORE}, or -root- for its root, Company Home.`,
          examples: ['-root-'],
        }),
      ),
    }),
    query: listArguments,
  },
  output: v1DefinitionsShown,
  refusals: [
    'argument_invalid',
    'skip_count_negative',
    'max_items_not_positive',
    'store_not_found',
    'node_not_found',
    'nodes_unavailable',
  ],
  scopedTo({ path: { nodeId } }) {
    if (nodeId === undefined) return undefined;
    return nodeId === '-root-' ? { store: SPACES_STORE, root: true } : { store: SPACES_STORE, id: nodeId };
  },
  async perform({ input, node, currentCatalogue, languageAmong }) {
    const catalogue = currentCatalogue();
    const language = languageAmong(catalogue.languages);
    const definitions = node === undefined ? catalogue.definitions : catalogue.applyingTo(node.type);
    const page = pageOf(inOrder(definitions, orderOf(input.query), language), pagingOf(input.query));
    // Only the whole list is cached: there are as many parts of it as there are numbers.
    const isWhole = Object.values(input.query).every((value) => value === '');
    const sameAs = `${catalogue.number} ${language} ${node?.type ?? ''}`;
    return answer({ page, language }, { language, ...(isWhole ? { sameAs } : {}) });
  },
});
