import { answer, operation } from '../../../../core/operation.ts';
import { conditionsShown } from '../../representations/later-action-definition.ts';
import { RULE_QUERY } from '../../rule-query.ts';

/** Specification, section 15: list the conditions that a rule may have. */
export default operation({
  ...RULE_QUERY,
  id: 'org/service/repository/rule/conditions.get',
  summary: 'List the conditions that a rule may have.',
  paths: ['/api/actionconditiondefinitions'],
  input: {},
  output: conditionsShown,
  refusals: [],
  async perform({ currentCatalogue, languageAmong }) {
    const catalogue = currentCatalogue();
    const language = languageAmong(catalogue.languages);
    const sameAs = `${catalogue.number} ${language}`;
    return answer({ conditions: catalogue.conditions, language }, { language, sameAs });
  },
});
