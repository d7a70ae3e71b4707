import type library from 'typebox';

/** A JSON Schema (2020-12, the dialect of OpenAPI 3.1), as a plain value. */
export type Schema = Readonly<Record<string, unknown>>;

type SchemaParts = Record<string, unknown>;
type Kinds = Pick<
  typeof library,
  | 'Array'
  | 'Boolean'
  | 'Integer'
  | 'Literal'
  | 'Null'
  | 'Number'
  | 'Object'
  | 'Optional'
  | 'Record'
  | 'String'
  | 'Undefined'
  | 'Union'
  | 'Unknown'
>;

/** Marks an optional member. The mark is not enumerable, so the schema as JSON does not have it. */
const OPTIONAL = '~optional';

const kind = (type: string) => (options?: SchemaParts) => ({ type, ...options });

function object(properties: Record<string, object>, options?: SchemaParts) {
  const required = Object.keys(properties).filter((name) => !(OPTIONAL in (properties[name] as object)));
  return { type: 'object', ...(required.length > 0 && { required }), properties, ...options };
}

function record(key: { readonly pattern?: string }, value: object, options?: SchemaParts) {
  return { type: 'object', patternProperties: { [key.pattern ?? '^.*$']: value }, ...options };
}

/**
 * Makes the JSON Schemas (2020-12) of inputs, outputs and documents. Names, types and results equal those of the schema
 * library. The library's own functions are spread over 300 modules, and loading them takes a fifth of a start. Keys of
 * a record are texts that match a pattern, or any texts.
 */
export const Type = {
  Array: (items: object, options?: SchemaParts) => ({ type: 'array', items, ...options }),
  Boolean: kind('boolean'),
  Integer: kind('integer'),
  Literal: (value: unknown, options?: SchemaParts) => ({ type: typeof value, const: value, ...options }),
  Null: kind('null'),
  Number: kind('number'),
  Object: object,
  Optional: (schema: object) => Object.defineProperty({ ...schema }, OPTIONAL, { value: true }),
  Record: record,
  String: kind('string'),
  Undefined: kind('undefined'),
  Union: (anyOf: readonly object[], options?: SchemaParts) => ({ anyOf, ...options }),
  Unknown: (options?: SchemaParts) => ({ ...options }),
} as unknown as Kinds;
