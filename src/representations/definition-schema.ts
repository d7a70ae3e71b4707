import type { ActionDefinition } from '../domain/action-definition.ts';
import { inLanguage } from '../domain/label.ts';
import type { Schema } from '../schema.ts';
import type { DefinitionShown, DefinitionsShown } from './definitions-shown.ts';
import { parameterSchema } from './value-schema.ts';

const DIALECT = { $schema: 'https://json-schema.org/draft/2020-12/schema' };

/** What the parameter values of an action have to be: an object with its parameters as members. */
function valuesSchema(definition: ActionDefinition, language: string | undefined): Schema {
  const languages = [language, definition.language];
  const description = inLanguage(definition.description, ...languages);
  const { parameters } = definition;
  const required = parameters.filter(({ mandatory }) => mandatory).map(({ name }) => name);
  return {
    title: inLanguage(definition.title, ...languages) ?? definition.name,
    ...(description === undefined ? {} : { description }),
    type: 'object',
    properties: Object.fromEntries(
      parameters.map((each) => [each.name, parameterSchema(each, ...languages)]),
    ),
    ...(required.length === 0 ? {} : { required }),
    additionalProperties: definition.adHocPropertiesAllowed,
  };
}

/** The schema of one action's parameter values. */
export function definitionSchema({ definition, language }: DefinitionShown): Schema {
  return { ...DIALECT, ...valuesSchema(definition, language) };
}

/** A pointer to a definition in the schema of the list (RFC 6901, in a fragment). */
const pointerTo = (name: string) =>
  `#/$defs/${encodeURIComponent(name.replaceAll('~', '~0').replaceAll('/', '~1'))}`;

function actionSchema({ name, parameters }: ActionDefinition, title: unknown): Schema {
  const takesValues = parameters.some(({ mandatory }) => mandatory);
  return {
    title,
    properties: { actionDefinitionName: { const: name }, parameterValues: { $ref: pointerTo(name) } },
    required: ['actionDefinitionName', ...(takesValues ? ['parameterValues'] : [])],
  };
}

/** The schema of any action of the list: its definition by name, and its parameter values as that one takes them. */
export function listSchema({ definitions, language, notApplying }: DefinitionsShown): Schema {
  const listed = definitions.filter(({ name }) => !notApplying?.has(name));
  const schemas = new Map(listed.map((each) => [each.name, valuesSchema(each, language)]));
  const actions = listed.map((each) => actionSchema(each, schemas.get(each.name)?.title));
  return {
    ...DIALECT,
    title: 'Action',
    type: 'object',
    ...(actions.length === 0 ? { not: {} } : { oneOf: actions }),
    $defs: Object.fromEntries(schemas),
  };
}
