import type { ActionDefinition } from '../../domain/action-definition.ts';
import { inLanguage } from '../../domain/label.ts';
import type { ListPage } from '../../domain/list-page.ts';
import { Type } from '../../schema.ts';
import type { Representation } from '../representation.ts';
import { listSchema, listShown } from './list.ts';

/** A definition with the language that its labels are shown in. */
export interface V1DefinitionShown {
  readonly definition: ActionDefinition;
  readonly language: string | undefined;
}

/** A part of a list of definitions, likewise. */
export interface V1DefinitionsShown extends Omit<V1DefinitionShown, 'definition'> {
  readonly page: ListPage<ActionDefinition>;
}

const textOrNull = Type.Union([Type.String(), Type.Null()]);

const schema = Type.Object({
  id: Type.String(),
  name: Type.String(),
  title: textOrNull,
  description: textOrNull,
  applicableTypes: Type.Array(Type.String()),
  adhocPropertiesAllowed: Type.Boolean(),
  trackStatus: Type.Boolean(),
  parameterDefinitions: Type.Array(
    Type.Object({
      name: Type.String(),
      type: Type.String(),
      multiValued: Type.Boolean(),
      mandatory: Type.Boolean(),
      displayLabel: textOrNull,
      parameterConstraintName: textOrNull,
    }),
  ),
});

/** One definition with the keys of `wire.md` section 10, in their order; what it lacks is null. */
function shown({ definition, language }: V1DefinitionShown) {
  const { name, title, description, applicableTypes, adHocPropertiesAllowed, parameters } = definition;
  const text = (label: typeof title) => inLanguage(label, language, definition.language) ?? null;
  return {
    id: name,
    name,
    title: text(title),
    description: text(description),
    applicableTypes,
    adhocPropertiesAllowed: adHocPropertiesAllowed,
    trackStatus: false,
    parameterDefinitions: parameters.map(({ name, type, multiValued, mandatory, label, constraint }) => ({
      name,
      type,
      multiValued,
      mandatory,
      displayLabel: text(label),
      parameterConstraintName: constraint ?? null,
    })),
  };
}

export const v1DefinitionShown: Representation<V1DefinitionShown> = {
  schema: Type.Object({ entry: schema }),
  json: (value) => ({ entry: shown(value) }),
};

export const v1DefinitionsShown: Representation<V1DefinitionsShown> = {
  schema: listSchema(schema),
  json: ({ page, language }) => listShown(page, (definition) => shown({ definition, language })),
};
