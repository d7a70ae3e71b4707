import { answer, operation } from '../../../../core/operation.ts';
import type { Representation } from '../../../../core/representations/representation.ts';
import { Type } from '../../../../core/schema.ts';
import { RULE_QUERY } from '../../rule-query.ts';

/** The events that a rule can act on. The repository that runs the rules knows these, and no others. */
const RULE_TYPES = [
  { name: 'inbound', displayLabel: 'Items are created or come into this folder' },
  { name: 'outbound', displayLabel: 'Items are deleted or leave this folder' },
  { name: 'update', displayLabel: 'Items are changed' },
];

const ruleTypesShown = {
  schema: Type.Object({
    data: Type.Array(Type.Object({ name: Type.String(), displayLabel: Type.String(), url: Type.String() })),
  }),
  json: (types) => ({ data: types.map((type) => ({ ...type, url: `/api/ruletypes/${type.name}` })) }),
} satisfies Representation<typeof RULE_TYPES>;

/** Specification, section 15: list the types of rules. */
export default operation({
  ...RULE_QUERY,
  id: 'org/service/repository/rule/ruletypes.get',
  summary: 'List the types of rules: the events that a rule can act on.',
  paths: ['/api/ruletypes'],
  input: {},
  output: ruleTypesShown,
  refusals: [],
  perform: () => answer(RULE_TYPES, { language: 'en', sameAs: 'en' }),
});
