import type { AnyOperation } from '../../../core/operation.ts';
import { formatsOf } from '../../../core/representations/representation.ts';
import type { Schema } from '../../../core/schema.ts';
import type { Schemas } from './schemas.ts';

interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required: boolean;
  readonly description?: unknown;
  readonly schema: Schema;
}

type Properties = Readonly<Record<string, Schema>>;

function propertiesOf(schema: Schema | undefined): [properties: Properties, required: readonly string[]] {
  const { properties = {}, required = [] } = schema ?? {};
  return [properties as Properties, required as readonly string[]];
}

/** A path name that takes several segments, as one text with slashes: OpenAPI cannot express segments. */
function asText({ type, items, minItems: _, ...schema }: Schema): Schema {
  return type === 'array' ? { ...schema, ...(items as Schema) } : { ...schema, type };
}

/** The example of a path name that belongs to this path. Undefined if there is none. */
function exampleAt<E>(
  { paths }: AnyOperation,
  template: `/${string}`,
  examples: readonly E[] = [],
): E | undefined {
  const scoped = paths.filter((path) => path.includes('{'));
  const nth = Math.max(0, scoped.indexOf(template));
  return examples[Math.min(nth, examples.length - 1)];
}

/** The schema of a name at one of the paths, with the example of that path. */
function schemaAt(operation: AnyOperation, template: `/${string}`, { examples, ...schema }: Schema): Schema {
  const example = exampleAt(operation, template, examples as readonly unknown[] | undefined);
  return { ...asText(schema), ...(example !== undefined && { examples: [[example].flat().join('/')] }) };
}

function parameter(place: Parameter['in'], name: string, required: boolean, schema: Schema): Parameter {
  const { description, ...rest } = schema;
  return { name, in: place, required, ...(description === undefined ? {} : { description }), schema: rest };
}

function formatParameter(operation: AnyOperation): Parameter {
  const { formatStyle, defaultFormat } = operation;
  const otherwise = `The format of the answer. \`Accept\` is not looked at: without this argument it is ${defaultFormat}.`;
  const description =
    formatStyle === 'any'
      ? `${otherwise} An extension on the path says the same: \`.json\` in place of \`?format=json\`.`
      : otherwise;
  const schema = { type: 'string', enum: formatsOf(operation.output), default: defaultFormat };
  return { name: 'format', in: 'query', required: false, description, schema };
}

const IF_MATCH = parameter('header', 'If-Match', false, {
  description: 'The `ETag` of what the caller has seen: 412 if it is another one by now.',
  type: 'string',
});

const LAST_EVENT = parameter('header', 'Last-Event-ID', false, {
  description: 'The id of the last message that the caller has: the stream goes on behind it.',
  type: 'string',
});

const REVALIDATION: readonly Parameter[] = [
  parameter('header', 'If-None-Match', false, {
    description: 'The `ETag` of the body that the caller has: 304 while it is the same.',
    type: 'string',
  }),
  parameter('header', 'Accept-Language', false, {
    description: 'The languages that titles and descriptions are wanted in.',
    type: 'string',
  }),
];

/** The parameters of an operation at one of its paths, with the choice of a format. */
export function parametersOf(operation: AnyOperation, template: `/${string}`, schemas: Schemas): Parameter[] {
  const { path, query } = operation.input;
  const [pathNames] = propertiesOf(path && schemas.of(path));
  const [queryNames, required] = propertiesOf(query && schemas.of(query));
  const taken = Object.entries(pathNames).filter(([name]) => template.includes(`{${name}}`));
  return [
    ...taken.map(([name, schema]) => parameter('path', name, true, schemaAt(operation, template, schema))),
    ...Object.entries(queryNames).map(([name, schema]) =>
      parameter('query', name, required.includes(name), schema),
    ),
    ...(operation.anyRequest ? [] : [formatParameter(operation)]),
    ...(operation.revalidated ? REVALIDATION : []),
    ...(operation.ifMatch ? [IF_MATCH] : []),
    ...(operation.streams ? [LAST_EVENT] : []),
  ];
}
