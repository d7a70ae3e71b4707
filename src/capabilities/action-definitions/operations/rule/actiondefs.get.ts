import { refuse } from '../../../../core/domain/refusal.ts';
import { answer, operation } from '../../../../core/operation.ts';
import { Type } from '../../../../core/schema.ts';
import { definitionsShown } from '../../representations/action-definition.ts';

const PATH_SCOPE = '/api/path/{store_type}/{store_id}/{id}/actiondefs';

const segment = (description: string, example: string) =>
  Type.Optional(Type.String({ description, examples: [example] }));

/** Specification, section 8: list the action definitions, for everything, for one node, or for the node at a path. */
export default operation({
  id: 'org/service/repository/rule/actiondefs.get',
  summary: 'List the action definitions, all of them or those that apply to one node.',
  lifecycle: 'public_api',
  family: 'Rules',
  method: 'GET',
  paths: ['/api/rules/actiondefs', '/api/node/{store_type}/{store_id}/{id}/actiondefs', PATH_SCOPE],
  authentication: 'user',
  transaction: 'required',
  access: 'read',
  formatStyle: 'argument',
  defaultFormat: 'json',
  revalidated: true,
  input: {
    path: Type.Object({
      store_type: segment('Store type of the node.', 'workspace'),
      store_id: segment('Store identifier of the node.', 'SpacesStore'),
      id: Type.Optional(
        Type.Array(Type.String(), {
          description:
            'Node id, or the names of a path from the root; one or more segments. The slashes between the names of a ' +
            'path stay as they are: an escaped one is part of a name.',
          examples: [['company-home'], ['Company Home']],
        }),
      ),
    }),
    query: Type.Object({
      explain: Type.Optional(
        Type.String({
          pattern: '^(true|false)?$',
          description:
            'true: every definition is listed, with whether it applies to the node and why not; false when left out.',
        }),
      ),
    }),
  },
  output: definitionsShown,
  refusals: ['argument_invalid', 'store_not_found', 'node_not_found', 'path_not_found', 'nodes_unavailable'],
  scopedTo({ path: { store_type, store_id, id } }, template) {
    if (id === undefined) return undefined;
    const store = `${store_type}://${store_id}`;
    return template === PATH_SCOPE ? { store, path: id } : { store, id: id.join('/') };
  },
  async perform({ input, node, currentCatalogue, basePath, languageAmong }) {
    const catalogue = currentCatalogue();
    const language = languageAmong(catalogue.languages);
    const view = { definitions: catalogue.definitions, basePath, language };
    const sameAs = `${catalogue.number} ${language} ${basePath} ${node?.type ?? ''}`;
    if (input.query.explain === 'true') {
      if (node === undefined)
        return refuse('argument_invalid', {
          detail: 'explain tells why a definition does not apply to a node: ask below /api/node or /api/path',
        });
      const notApplying = catalogue.notApplyingTo(node.type);
      return answer({ ...view, notApplying }, { language, sameAs: `${sameAs} explained` });
    }
    const definitions = node === undefined ? catalogue.definitions : catalogue.applyingTo(node.type);
    return answer({ ...view, definitions }, { language, sameAs });
  },
});
