import type { Static } from 'typebox';
import { Type } from '../../../core/schema.ts';

/** The data types that parameters may have, by the dictionary model. */
const DATA_TYPES =
  'any|text|mltext|content|int|long|float|double|date|datetime|boolean|qname|noderef|childassocref|assocref|path|category|locale|version|period';

/** A language tag (BCP 47) that is valid in a header. */
const LANGUAGE = '^[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8})*$';

const label = (description: string) =>
  Type.Optional(
    Type.Union(
      [
        Type.String(),
        Type.Record(Type.String({ pattern: LANGUAGE }), Type.String(), { additionalProperties: false }),
      ],
      {
        description: `${description} One text, or one for each language (BCP 47).`,
      },
    ),
  );

const typeName = Type.String({
  pattern: '^[A-Za-z][\\w-]*:[\\w-]+$',
  description: 'A type in prefix form, such as cm:content.',
});
const closed = { additionalProperties: false } as const;

const Parameter = Type.Object(
  {
    name: Type.String({ minLength: 1 }),
    label: label('How the parameter is called.'),
    type: Type.String({ pattern: `^d:(${DATA_TYPES})$`, description: 'Its data type, such as d:text.' }),
    multiValued: Type.Optional(Type.Boolean({ description: 'False when left out.' })),
    mandatory: Type.Optional(Type.Boolean({ description: 'False when left out.' })),
    constraint: Type.Optional(
      Type.String({ description: 'The name of the constraint that lists its allowed values.' }),
    ),
  },
  closed,
);

/** A name that stands in a URL. */
const urlName = Type.String({
  minLength: 1,
  maxLength: 256,
  pattern: '^(?!\\.{1,2}$)[^\\p{Cs}\\p{Cc}]*$',
  description: 'It stands in a URL: neither . nor .., and no control or half characters.',
});

const Definition = Type.Object(
  {
    name: urlName,
    title: label('How the action is called.'),
    description: label('What the action does.'),
    adHocPropertiesAllowed: Type.Boolean(),
    applicableTypes: Type.Array(typeName, {
      description: 'Types that it applies to, with their subtypes; empty: every type.',
    }),
    parameters: Type.Optional(Type.Array(Parameter)),
  },
  closed,
);

const Condition = Type.Object(
  {
    name: urlName,
    title: label('How the condition is called.'),
    description: label('When the condition holds.'),
    adHocPropertiesAllowed: Type.Boolean(),
    parameters: Type.Optional(Type.Array(Parameter)),
  },
  closed,
);

const value = Type.Union([Type.String(), Type.Number(), Type.Boolean()]);

const Constraint = Type.Object(
  {
    name: Type.String({ minLength: 1 }),
    values: Type.Array(
      Type.Union([
        value,
        Type.Object({ value, label: label('How the value is called.') }, { additionalProperties: false }),
      ]),
      {
        description:
          'What is allowed: values, or values with their labels. Empty: the content repository knows them.',
      },
    ),
  },
  closed,
);

const extend = Type.Optional(
  Type.Union([Type.Literal('built-in'), Type.Literal('none')], {
    description: 'built-in (when left out): adds to the built-in set. none: replaces it.',
  }),
);

/** The schema of a document of action definitions. The built-in set is such a document. */
export const DefinitionsDocument = Type.Object(
  {
    $schema: Type.Optional(Type.String()),
    extends: extend,
    language: Type.Optional(
      Type.String({
        pattern: LANGUAGE,
        description: 'The language of labels given as one text; en when left out.',
      }),
    ),
    constraints: Type.Optional(
      Type.Array(Constraint, { description: 'The values that parameters allow which name a constraint.' }),
    ),
    conditions: Type.Optional(
      Type.Array(Condition, { description: 'The conditions that rule editors offer.' }),
    ),
    definitions: Type.Array(Definition),
  },
  { ...closed, title: 'Action definitions' },
);

/** The schema of a document of node types, each with one parent. */
export const ModelDocument = Type.Object(
  {
    $schema: Type.Optional(Type.String()),
    extends: extend,
    types: Type.Array(Type.Object({ name: typeName, parent: Type.Optional(typeName) }, closed)),
  },
  { ...closed, title: 'Content model' },
);

export type DefinitionsDocument = Static<typeof DefinitionsDocument>;
export type ModelDocument = Static<typeof ModelDocument>;
