import type { ParameterDefinition } from '../domain/action-definition.ts';

/** The name of the field of a parameter: no other field of the form begins so. */
export const fieldOf = ({ name }: Pick<ParameterDefinition, 'name'>) => `value.${name}`;

const NUMBERS = ['d:int', 'd:long', 'd:float', 'd:double'];

/** The value that a text of a form stands for. A text that does not fit the type stays a text, and the check refuses it. */
function valueFrom({ type, allowed }: ParameterDefinition, text: string): unknown {
  const allowedValue = allowed?.find(({ value }) => String(value) === text);
  if (allowedValue !== undefined) return allowedValue.value;
  if (NUMBERS.includes(type) && /^-?\d+(\.\d+)?$/.test(text)) return Number(text);
  if (type === 'd:boolean' && (text === 'true' || text === 'false')) return text === 'true';
  return text;
}

/** The parameter values in a form. A field that is left empty gives none; of a list, each line is a value. */
export function valuesIn(
  parameters: readonly ParameterDefinition[],
  fields: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  const values: [string, unknown][] = [];
  for (const parameter of parameters) {
    const text = fields[fieldOf(parameter)];
    if (typeof text !== 'string' || text.trim() === '') continue;
    const lines = text.split(/\r?\n/).map((line) => line.trim());
    const value = parameter.multiValued
      ? lines.filter((line) => line !== '').map((line) => valueFrom(parameter, line))
      : valueFrom(parameter, text);
    values.push([parameter.name, value]);
  }
  return Object.fromEntries(values);
}
