import { answer, operation } from '../../../../core/operation.ts';
import { conditionsShown } from '../../representations/later-action-definition.ts';

/** Specification, section 15: list the conditions that a rule may have. */
export default operation({
  id: 'org/service/repository/rule/conditions.get',
  summary: 'List the conditions that a rule may have.',
  lifecycle: 'public_api',
  family: 'Rules',
  method: 'GET',
  paths: ['/api/actionconditiondefinitions'],
  authentication: 'user',
  transaction: 'required',
  access: 'read',
  formatStyle: 'argument',
  defaultFormat: 'json',
  revalidated: true,
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
