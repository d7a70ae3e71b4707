import type { Representation } from '../../../core/representations/representation.ts';
import { Type } from '../../../core/schema.ts';
import { inLanguage } from '../domain/label.ts';
import type { ParameterConstraint } from '../domain/parameter-constraint.ts';

/** A constraint, and the language of its labels. */
export interface ConstraintShown {
  readonly constraint: ParameterConstraint;
  readonly language: string | undefined;
}

/** Constraints, in the same way. */
interface ConstraintsShown extends Omit<ConstraintShown, 'constraint'> {
  readonly constraints: readonly ParameterConstraint[];
}

/** A value as in JSON. What an editor is offered is what a validation accepts, so a number stays a number. */
export const valueSchema = Type.Union([Type.String(), Type.Number(), Type.Boolean()]);

/** The values with their labels. A value without a label is its own: editors show the label alone. */
export function labelled({ constraint, language }: ConstraintShown) {
  return constraint.values.map(({ value, label }) => ({
    value,
    label: inLanguage(label, language, constraint.language) || String(value),
  }));
}

const schema = Type.Object({
  name: Type.String(),
  values: Type.Array(Type.Object({ value: valueSchema, displayLabel: Type.String() })),
});

/** One constraint, as the web scripts of later generations show it. */
function json(value: ConstraintShown) {
  const values = labelled(value).map(({ value, label }) => ({ value, displayLabel: label }));
  return { name: value.constraint.name, values };
}

export const constraintShown = {
  schema: Type.Object({ data: schema }),
  json: (value) => ({ data: json(value) }),
} satisfies Representation<ConstraintShown>;

export const constraintsShown = {
  schema: Type.Object({ data: Type.Array(schema) }),
  json: ({ constraints, language }) => ({
    data: constraints.map((constraint) => json({ constraint, language })),
  }),
} satisfies Representation<ConstraintsShown>;
