import type { ListPage } from '../../../../core/domain/list-page.ts';
import type { Representation } from '../../../../core/representations/representation.ts';
import { listSchema, listShown } from '../../../../core/representations/v1/list.ts';
import { Type } from '../../../../core/schema.ts';
import type { ActionDefinition } from '../../domain/action-definition.ts';
import { inLanguage } from '../../domain/label.ts';

/** A definition, and the language of its labels. */
interface V1DefinitionShown {
  readonly definition: ActionDefinition;
  readonly language: string | undefined;
}

/** A part of a list of definitions, in the same way. */
interface V1DefinitionsShown extends Omit<V1DefinitionShown, 'definition'> {
  readonly page: ListPage<ActionDefinition>;
}

const text = Type.Optional(Type.String());

const schema = Type.Object({
  id: Type.String(),
  name: Type.String(),
  title: text,
  description: text,
  applicableTypes: Type.Optional(Type.Array(Type.String(), { minItems: 1 })),
  adhocPropertiesAllowed: Type.Boolean(),
  trackStatus: Type.Boolean(),
  parameterDefinitions: Type.Optional(
    Type.Array(
      Type.Object({
        name: Type.String(),
        type: Type.String(),
        multiValued: Type.Boolean(),
        mandatory: Type.Boolean(),
        displayLabel: text,
        parameterConstraintName: text,
      }),
      { minItems: 1 },
    ),
  ),
});

/** The value, or undefined if it is empty: then the member is left out. */
const unlessEmpty = <T extends string | readonly unknown[]>(value: T | undefined) =>
  value === undefined || value.length === 0 ? undefined : value;

/** One definition, with the keys of the specification, section 10, in their order. JSON leaves out members that are undefined. */
function json({ definition, language }: V1DefinitionShown) {
  const { name, title, description, applicableTypes, adHocPropertiesAllowed, parameters } = definition;
  const text = (label: typeof title) => unlessEmpty(inLanguage(label, language, definition.language));
  return {
    id: name,
    name,
    title: text(title),
    description: text(description),
    applicableTypes: unlessEmpty(applicableTypes),
    adhocPropertiesAllowed: adHocPropertiesAllowed,
    trackStatus: false,
    parameterDefinitions: unlessEmpty(
      parameters.map(({ name, type, multiValued, mandatory, label, constraint }) => ({
        name,
        type,
        multiValued,
        mandatory,
        displayLabel: text(label),
        parameterConstraintName: unlessEmpty(constraint),
      })),
    ),
  };
}

export const v1DefinitionShown: Representation<V1DefinitionShown> = {
  schema: Type.Object({ entry: schema }),
  json: (value) => ({ entry: json(value) }),
};

export const v1DefinitionsShown: Representation<V1DefinitionsShown> = {
  schema: listSchema(schema),
  json: ({ page, language }) => listShown(page, (definition) => json({ definition, language })),
};
