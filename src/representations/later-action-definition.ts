import type { ActionDefinition } from '../domain/action-definition.ts';
import { inLanguage } from '../domain/label.ts';
import { Type } from '../schema.ts';
import type { Representation } from './representation.ts';

/** Definitions as later generations of the web scripts list them, and the language of their labels. */
interface LaterDefinitionsShown {
  readonly definitions: readonly ActionDefinition[];
  readonly language: string | undefined;
}

const textOrNull = Type.Union([Type.String(), Type.Null()]);

const schema = Type.Object({
  data: Type.Array(
    Type.Object({
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
      applicableTypes: Type.Array(Type.String()),
    }),
  ),
});

/** One definition, with the keys of `wire.md` section 8 (later generations) in their order. */
function shown(definition: ActionDefinition, language: string | undefined) {
  const { name, title, description, adHocPropertiesAllowed, parameters, applicableTypes } = definition;
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
    applicableTypes,
  };
}

export const laterDefinitionsShown: Representation<LaterDefinitionsShown> = {
  schema,
  json: ({ definitions, language }) => ({
    data: definitions.map((definition) => shown(definition, language)),
  }),
};
