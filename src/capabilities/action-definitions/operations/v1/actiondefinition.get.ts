import { V1_CALL } from '../../../../core/api.ts';
import { refuse } from '../../../../core/domain/refusal.ts';
import { answer, operation } from '../../../../core/operation.ts';
import { Type } from '../../../../core/schema.ts';
import { v1DefinitionShown } from '../../representations/v1/action-definition.ts';

/** Specification, section 10: show an action definition by its id, which is its name. */
export default operation({
  id: 'org/service/repository/v1/actiondefinition.get',
  summary: 'Show one action definition, by the v1 API.',
  family: 'Rules',
  ...V1_CALL,
  method: 'GET',
  paths: ['/alfresco/versions/1/action-definitions/{actionDefinitionId}'],
  authentication: 'user',
  access: 'read',
  revalidated: true,
  input: {
    path: Type.Object({
      actionDefinitionId: Type.String({ description: 'Name of one action definition.', examples: ['copy'] }),
    }),
  },
  output: v1DefinitionShown,
  refusals: ['definition_not_found'],
  async perform({ input, currentCatalogue, languageAmong }) {
    const catalogue = currentCatalogue();
    const { actionDefinitionId } = input.path;
    const definition = catalogue.find(actionDefinitionId);
    if (definition === undefined) return refuse('definition_not_found', { detail: actionDefinitionId });
    const language = languageAmong(catalogue.languages);
    const sameAs = `${catalogue.number} ${language} ${definition.name}`;
    return answer({ definition, language }, { language, sameAs });
  },
});
