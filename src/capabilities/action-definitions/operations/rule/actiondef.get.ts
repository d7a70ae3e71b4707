import { refuse } from '../../../../core/domain/refusal.ts';
import { answer, operation } from '../../../../core/operation.ts';
import { Type } from '../../../../core/schema.ts';
import { definitionShown } from '../../representations/action-definition.ts';
import { RULE_QUERY } from '../../rule-query.ts';

/** Specification, section 8, the path of one definition: show an action definition by its name. */
export default operation({
  ...RULE_QUERY,
  id: 'org/service/repository/rule/actiondef.get',
  summary: 'Show one action definition.',
  paths: ['/api/rules/actiondefs/{actionDefinitionName}'],
  input: {
    path: Type.Object({
      actionDefinitionName: Type.String({
        description: 'Name of one action definition.',
        examples: ['copy'],
      }),
    }),
  },
  output: definitionShown,
  refusals: ['definition_not_found'],
  async perform({ input, currentCatalogue, basePath, languageAmong }) {
    const catalogue = currentCatalogue();
    const definition = catalogue.find(input.path.actionDefinitionName);
    if (definition === undefined)
      return refuse('definition_not_found', { detail: input.path.actionDefinitionName });
    const language = languageAmong(catalogue.languages);
    const sameAs = `${catalogue.number} ${language} ${basePath} ${definition.name}`;
    return answer({ definition, basePath, language }, { language, sameAs });
  },
});
