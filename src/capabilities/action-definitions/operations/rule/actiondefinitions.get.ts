import { answer, operation } from '../../../../core/operation.ts';
import { laterDefinitionsShown } from '../../representations/later-action-definition.ts';
import { RULE_QUERY } from '../../rule-query.ts';

/** Specification, section 8, later generations: list the action definitions in the shape of newer web scripts. */
export default operation({
  ...RULE_QUERY,
  id: 'org/service/repository/rule/actiondefinitions.get',
  summary: 'List the action definitions in the shape of later generations.',
  paths: ['/api/actiondefinitions'],
  input: {},
  output: laterDefinitionsShown,
  refusals: [],
  async perform({ currentCatalogue, languageAmong }) {
    const catalogue = currentCatalogue();
    const language = languageAmong(catalogue.languages);
    const sameAs = `${catalogue.number} ${language}`;
    return answer({ definitions: catalogue.definitions, language }, { language, sameAs });
  },
});
