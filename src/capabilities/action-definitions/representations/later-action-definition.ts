import type { Representation } from '../../../core/representations/representation.ts';
import { Type } from '../../../core/schema.ts';
import type { ActionDefinition, ConditionDefinition } from '../domain/action-definition.ts';
import { inLanguage } from '../domain/label.ts';

/** Definitions as later generations of the web scripts list them, and the language of their labels. */
interface LaterDefinitionsShown {
  readonly definitions: readonly ActionDefinition[];
  readonly language: string | undefined;
}

/** Definitions of conditions, and the language of their labels. */
interface ConditionsShown {
  readonly conditions: readonly ConditionDefinition[];
  readonly language: string | undefined;
}

const textOrNull = Type.Union([Type.String(), Type.Null()]);

const members = {
  name: Type.String(),
  displayLabel: textOrNull,
  description: textOrNull,
  adHocPropertiesAllowed: Type.Boolean(),
  parameterDefinitions: Type.Array(
    Type.Object({
      name: Type.String(),
      displayLabel: textOrNull,
      type: Type.String(),
      constraint: Type.Optional(Type.String()),
      isMultiValued: Type.Boolean(),
      isMandatory: Type.Boolean(),
    }),
  ),
};

/** One definition, with the keys of the specification, section 8, in their order (later generations). A condition has the same but the types. */
function json(definition: ConditionDefinition, language: string | undefined) {
  const { name, title, description, adHocPropertiesAllowed, parameters } = definition;
  const text = (label: typeof title) => inLanguage(label, language, definition.language) ?? null;
  return {
    name,
    displayLabel: text(title),
    description: text(description),
    adHocPropertiesAllowed,
    parameterDefinitions: parameters.map(({ name, label, type, constraint, multiValued, mandatory }) => ({
      name,
      displayLabel: text(label),
      type,
      ...(constraint === undefined ? {} : { constraint }),
      isMultiValued: multiValued,
      isMandatory: mandatory,
    })),
  };
}

export const laterDefinitionsShown: Representation<LaterDefinitionsShown> = {
  schema: Type.Object({
    data: Type.Array(Type.Object({ ...members, applicableTypes: Type.Array(Type.String()) })),
  }),
  json: ({ definitions, language }) => ({
    data: definitions.map((definition) => ({
      ...json(definition, language),
      applicableTypes: definition.applicableTypes,
    })),
  }),
};

export const conditionsShown: Representation<ConditionsShown> = {
  schema: Type.Object({ data: Type.Array(Type.Object(members)) }),
  json: ({ conditions, language }) => ({
    data: conditions.map((condition) => json(condition, language)),
  }),
};
