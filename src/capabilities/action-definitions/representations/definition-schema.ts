import type { Schema } from '../../../core/schema.ts';
import type { ActionDefinition, ParameterDefinition } from '../domain/action-definition.ts';
import { type AllowedValue, INT_RANGE, NODE_PATTERN, QNAME_PATTERN } from '../domain/allowed-value.ts';
import { inLanguage } from '../domain/label.ts';

/** Definitions, and what their text depends on: the base path and the language. */
export interface DefinitionsShown {
  readonly definitions: readonly ActionDefinition[];
  /** The base path that the caller used. */
  readonly basePath: string;
  readonly language: string | undefined;
  /** With `explain`: the definitions that do not apply to the node, by name, with the reason. */
  readonly notApplying?: ReadonlyMap<string, string>;
}

/** One definition, in the same way. */
export interface DefinitionShown extends Omit<DefinitionsShown, 'definitions'> {
  readonly definition: ActionDefinition;
}

const NODE = { type: 'string', pattern: NODE_PATTERN };
const NAME = { type: 'string', pattern: QNAME_PATTERN };

/** The JSON schema of each type of the dictionary. Other types are texts. */
const OF_TYPE: Readonly<Record<string, Schema>> = {
  'd:any': {},
  'd:boolean': { type: 'boolean' },
  'd:int': { type: 'integer', ...INT_RANGE },
  'd:long': { type: 'integer' },
  'd:float': { type: 'number' },
  'd:double': { type: 'number' },
  'd:date': { type: 'string', format: 'date' },
  'd:datetime': { type: 'string', format: 'date-time' },
  'd:noderef': NODE,
  'd:category': NODE,
  'd:qname': NAME,
};

type Languages = readonly (string | undefined)[];

/** The allowed values. If one has a label, all are listed with their labels. */
function allowedOf(allowed: readonly AllowedValue[], languages: Languages): Schema {
  if (allowed.every(({ label }) => label === undefined)) return { enum: allowed.map(({ value }) => value) };
  const oneOf = allowed.map(({ value, label }) => {
    const title = inLanguage(label, ...languages);
    return { const: value, ...(title === undefined ? {} : { title }) };
  });
  return { oneOf };
}

function shapeOf({ type, allowed, constraint }: ParameterDefinition, languages: Languages): Schema {
  // Uses `$comment` for the type: validators refuse keywords that they do not know.
  const shape = { ...(OF_TYPE[type] ?? { type: 'string' }), $comment: type };
  if (allowed !== undefined) return { ...shape, ...allowedOf(allowed, languages) };
  return constraint === undefined
    ? shape
    : { ...shape, description: `One of the values of the constraint ${constraint}.` };
}

/** The schema of a parameter: a value or a list of values. A mandatory list has at least one. */
function parameterSchema(parameter: ParameterDefinition, ...languages: Languages): Schema {
  const title = inLanguage(parameter.label, ...languages);
  const labelled = title === undefined ? {} : { title };
  const value = shapeOf(parameter, languages);
  if (!parameter.multiValued) return { ...labelled, ...value };
  return { ...labelled, type: 'array', items: value, ...(parameter.mandatory ? { minItems: 1 } : {}) };
}

const DIALECT = { $schema: 'https://json-schema.org/draft/2020-12/schema' };

/** The schema of an action's parameter values: an object with a member for each parameter. */
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

/** The schema of any action in the list: its name, and parameter values that fit this definition. */
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
