import type { ParameterDefinition } from '../domain/action-definition.ts';
import { type AllowedValue, INT_RANGE, NODE_PATTERN, QNAME_PATTERN } from '../domain/allowed-value.ts';
import { inLanguage } from '../domain/label.ts';
import type { Schema } from '../schema.ts';

const NODE = { type: 'string', pattern: NODE_PATTERN };
const NAME = { type: 'string', pattern: QNAME_PATTERN };

/** How values of the dictionary's types look in JSON; the others are texts. */
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

/** The allowed values: as they are, or each with its label where one of them has one. */
function allowedOf(allowed: readonly AllowedValue[], languages: Languages): Schema {
  if (allowed.every(({ label }) => label === undefined)) return { enum: allowed.map(({ value }) => value) };
  const oneOf = allowed.map(({ value, label }) => {
    const title = inLanguage(label, ...languages);
    return { const: value, ...(title === undefined ? {} : { title }) };
  });
  return { oneOf };
}

function shapeOf({ type, allowed, constraint }: ParameterDefinition, languages: Languages): Schema {
  // A comment, since validators refuse keywords that they do not know, and editors tell types apart by it.
  const shape = { ...(OF_TYPE[type] ?? { type: 'string' }), $comment: type };
  if (allowed !== undefined) return { ...shape, ...allowedOf(allowed, languages) };
  return constraint === undefined
    ? shape
    : { ...shape, description: `One of the values of the constraint ${constraint}.` };
}

/** What a parameter takes: a value, or a list of them; a mandatory one takes at least one. */
export function parameterSchema(parameter: ParameterDefinition, ...languages: Languages): Schema {
  const title = inLanguage(parameter.label, ...languages);
  const labelled = title === undefined ? {} : { title };
  const value = shapeOf(parameter, languages);
  if (!parameter.multiValued) return { ...labelled, ...value };
  return { ...labelled, type: 'array', items: value, ...(parameter.mandatory ? { minItems: 1 } : {}) };
}
