import type { Representation, XmlElement } from '../../../core/representations/representation.ts';
import { Type } from '../../../core/schema.ts';
import type { ParameterDefinition } from '../domain/action-definition.ts';
import { inLanguage } from '../domain/label.ts';
import {
  type DefinitionShown,
  type DefinitionsShown,
  definitionSchema,
  listSchema,
} from './definition-schema.ts';

const DICTIONARY = '{http://www.alfresco.org/model/dictionary/1.0}';
const localName = (type: string) => type.slice(type.indexOf(':') + 1);

function shownParameter(
  { name, label, type, multiValued, mandatory }: ParameterDefinition,
  ...languages: readonly (string | undefined)[]
) {
  const displayLabel = inLanguage(label, ...languages);
  return {
    name,
    ...(displayLabel === undefined ? {} : { displayLabel }),
    type: DICTIONARY + localName(type),
    multiValued,
    mandatory: String(mandatory),
  };
}

/** Whether a definition applies to the node, and why not. */
function applicability(name: string, notApplying: DefinitionsShown['notApplying']) {
  if (notApplying === undefined) return {};
  const whyNot = notApplying.get(name);
  return whyNot === undefined ? { applies: true } : { applies: false, whyNot };
}

/** One definition, with the keys of the specification, section 8, in their order. */
function json({ definition, basePath, language, notApplying }: DefinitionShown) {
  const title = inLanguage(definition.title, language, definition.language);
  const description = inLanguage(definition.description, language, definition.language);
  return {
    name: definition.name,
    ...(title === undefined ? {} : { title }),
    ...(description === undefined ? {} : { description }),
    adhocPropertiesAllowed: String(definition.adHocPropertiesAllowed),
    applicableTypes: definition.applicableTypes.map(localName),
    parameterDefinitions: definition.parameters.map((parameter) =>
      shownParameter(parameter, language, definition.language),
    ),
    url: `${basePath}/api/rules/actiondefs/${encodeURIComponent(definition.name)}`,
    ...applicability(definition.name, notApplying),
  };
}

function elementOf(value: DefinitionShown): XmlElement {
  const { applicableTypes, parameterDefinitions, url, applies, whyNot, ...texts } = json(value);
  const leaves = (object: object) =>
    Object.entries(object).map(([name, text]): XmlElement => [name, String(text)]);
  return [
    'actionDefinition',
    [
      ...leaves(texts),
      ['applicableTypes', applicableTypes.map((type): XmlElement => ['applicableType', type])],
      [
        'parameterDefinitions',
        parameterDefinitions.map((parameter): XmlElement => ['parameterDefinition', leaves(parameter)]),
      ],
      ['url', url],
      ...(applies === undefined ? [] : leaves({ applies })),
      ...(whyNot === undefined ? [] : leaves({ whyNot })),
    ],
  ];
}

const flag = Type.Union([Type.Literal('true'), Type.Literal('false')]);

const parameterSchema = Type.Object(
  {
    name: Type.String(),
    displayLabel: Type.Optional(Type.String()),
    type: Type.String(),
    multiValued: Type.Boolean(),
    mandatory: flag,
  },
  { xml: { name: 'parameterDefinition' } },
);

const schema = Type.Object(
  {
    name: Type.String(),
    title: Type.Optional(Type.String()),
    description: Type.Optional(Type.String()),
    adhocPropertiesAllowed: flag,
    applicableTypes: Type.Array(Type.String({ xml: { name: 'applicableType' } }), { xml: { wrapped: true } }),
    parameterDefinitions: Type.Array(parameterSchema, { xml: { wrapped: true } }),
    url: Type.String(),
    applies: Type.Optional(
      Type.Boolean({ description: 'Whether it applies to the node; with explain=true.' }),
    ),
    whyNot: Type.Optional(Type.String({ description: 'Why it does not.' })),
  },
  { title: 'Action definition', xml: { name: 'actionDefinition' } },
);

/** A list of definitions: a bare array in JSON. */
export const definitionsShown = {
  schema: Type.Array(schema, {
    title: 'Action definitions',
    xml: { name: 'actionDefinitions', wrapped: true },
  }),
  json: ({ definitions, ...where }) => definitions.map((definition) => json({ definition, ...where })),
  xml: ({ definitions, ...where }) => [
    'actionDefinitions',
    definitions.map((definition) => elementOf({ definition, ...where })),
  ],
  jsonSchema: listSchema,
} satisfies Representation<DefinitionsShown>;

export const definitionShown = {
  schema,
  json,
  xml: elementOf,
  jsonSchema: definitionSchema,
} satisfies Representation<DefinitionShown>;
