/** The parts of JSON Schema that the pages show. */
export interface Schema {
  readonly type?: string;
  readonly format?: string;
  readonly pattern?: string;
  readonly description?: string;
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly const?: unknown;
}

/** The shape of a JSON value: objects and arrays, with the type in place of each value. */
export function sketch(schema: Schema): unknown {
  const { type = 'any', format, pattern, properties, items, anyOf } = schema;
  if (properties !== undefined) {
    return Object.fromEntries(Object.entries(properties).map(([name, member]) => [name, sketch(member)]));
  }
  if (items !== undefined) return [sketch(items)];
  if (anyOf !== undefined) return anyOf.map((each) => JSON.stringify(sketch(each))).join(' or ');
  if ('const' in schema) return schema.const;
  const more = format ?? pattern;
  return more === undefined ? type : `${type}: ${more}`;
}
